/** A value of which the beginning is drawn, and more when it is asked for: never a megabyte at once. */
import { useMemo, useState } from 'react'
import { fullNumber } from '../../../../lib/text/human-format.ts'
import { Button } from '../../kit/form/button.tsx'
import styles from './events.module.css'
import { wholeValue } from './value-words.ts'

const FIRST = 400
/** So much more at each time. */
const MORE = 20_000

interface CutTextProps {
  value: unknown
  first?: number
}

export function CutText({ value, first = FIRST }: CutTextProps) {
  const text = useMemo(() => wholeValue(value), [value])
  const [shown, setShown] = useState(first)
  return (
    <>
      <pre className={styles.value}>{text.slice(0, shown)}</pre>
      {text.length > shown && (
        <Button small kind="quiet" onClick={() => setShown(shown + MORE)}>
          {`Show more, ${fullNumber(text.length - shown)} characters are left`}
        </Button>
      )}
    </>
  )
}
