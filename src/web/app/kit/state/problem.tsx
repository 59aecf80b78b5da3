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
  // A refusal says it all; of what went wrong in the server its log knows more.
  const facts = status != null && status >= 500 ? [code, String(status), requestId] : []
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
