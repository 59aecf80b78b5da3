/** What went wrong, in the server's words, with what identifies it in the log, and a way to try again. */
import { Button } from '../form/button.tsx'
import { Notice } from './notice.tsx'
import styles from './states.module.css'

/** What the API's client throws has these; anything else has a message at most. */
interface Told {
  message?: string
  code?: string | null
  status?: number | null
  requestId?: string | null
}

interface ProblemProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

export function Problem({ error, onRetry }: ProblemProps) {
  const { message, code, status, requestId } = (error ?? {}) as Told
  const facts = [code, status === null || status === undefined ? null : String(status), requestId]
  const named = facts.filter((fact) => typeof fact === 'string' && fact !== '')
  return (
    <Notice
      kind="bad"
      actions={
        onRetry && (
          <Button small onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <p>{message || 'Something went wrong.'}</p>
      {named.length > 0 && <p className={styles.detail}>{named.join(' · ')}</p>}
    </Notice>
  )
}
