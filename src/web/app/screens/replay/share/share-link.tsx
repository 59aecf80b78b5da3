/** The link of a share: to its beginning or to this second, as code for another page, and another one in its place. */
import { useState } from 'react'
import { clockTime } from '../../../../../lib/time/clock-time.ts'
import type { Recording } from '../../../data/recordings/recordings.ts'
import { useReplaceLink } from '../../../data/recordings/sharing.ts'
import { useProject } from '../../../data/session.ts'
import { Button, LinkButton } from '../../../kit/form/button.tsx'
import { SwitchField } from '../../../kit/form/field.tsx'
import { Row } from '../../../kit/layout/card.tsx'
import { useTell } from '../../../kit/overlay/toasts.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Code, CopyValue } from '../../../kit/text/code.tsx'
import { dayInZone } from '../../../kit/text/moment-words.ts'
import { embedCode, linkAt } from './share-words.ts'

const SECOND = 1_000

interface ShareLinkProps {
  recording: Recording
  url: string
  second: number
  mayWrite: boolean
}

export function ShareLink({ recording, url, second, mayWrite }: ShareLinkProps) {
  const { id, timezone } = useProject()
  const [isAt, setAt] = useState(false)
  const replace = useReplaceLink(id, recording.id)
  const tell = useTell()
  const link = linkAt(url, isAt ? second : 0)
  return (
    <>
      <CopyValue text={link} />
      {second > 0 && <SwitchField label={`Begin at ${clockTime(second * SECOND)}`} checked={isAt} onChecked={setAt} />}
      <Row>
        <LinkButton href={link} target="_blank" rel="noreferrer">
          See what they see
        </LinkButton>
        <Button
          busy={replace.isPending}
          reason={mayWrite ? undefined : 'You may only look at it'}
          onClick={() =>
            replace.mutate(undefined, {
              onSuccess: () => tell('This is the link now; the one before works for five minutes more'),
            })
          }
        >
          Replace the link
        </Button>
      </Row>
      {replace.error && <Problem error={replace.error} />}
      <p>It ends with the recording, on {dayInZone(Date.parse(recording.expiry_time), timezone)}.</p>
      <Code text={embedCode(link)} label="Code for a page of your own" />
    </>
  )
}
