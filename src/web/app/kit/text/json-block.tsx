/** A value as JSON has it, whole, in lines that can be copied. */
import { useMemo, useState } from 'react'
import { fullNumber } from '../../../../lib/text/human-format.ts'
import { Button } from '../form/button.tsx'
import { Code } from './code.tsx'

const FIRST = 20_000

/** The beginning is drawn, and more when it is asked for, as it may be a megabyte; all of it is copied. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  const [shown, setShown] = useState(FIRST)
  const left = text.length - shown
  return (
    <>
      <Code text={text} shown={shown} label={label} />
      {left > 0 && (
        <Button small kind="quiet" onClick={() => setShown(shown + FIRST)}>
          {`Show more, ${fullNumber(left)} characters are left`}
        </Button>
      )}
    </>
  )
}
