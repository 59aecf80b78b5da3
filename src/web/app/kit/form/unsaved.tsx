/** The end of a form with changes: save them or give them up. Leaving the screen, or the page, asks first. */
import { useBlocker } from '@tanstack/react-router'
import { Row } from '../layout/card.tsx'
import { Dialog } from '../overlay/dialog.tsx'
import styles from './button.module.css'
import { Button } from './button.tsx'

interface SaveRowProps {
  isChanged: boolean
  busy: boolean
  /** Why it cannot be saved; undefined: it can. */
  reason?: string | undefined
  onReset: () => void
}

export function SaveRow({ isChanged, busy, reason, onReset }: SaveRowProps) {
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !busy,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  return (
    <>
      <Row>
        <Button kind="main" type="submit" busy={busy} disabled={!isChanged} reason={reason}>
          Save
        </Button>
        {isChanged && (
          <Button kind="quiet" onClick={onReset}>
            Discard
          </Button>
        )}
        {reason !== undefined && <span className={styles.reason}>{reason}</span>}
      </Row>
      {blocker.status === 'blocked' && (
        <Dialog
          title="Leave without saving?"
          onClose={blocker.reset}
          actions={
            <>
              <Button onClick={blocker.reset}>Stay</Button>
              <Button kind="danger" onClick={blocker.proceed}>
                Leave
              </Button>
            </>
          }
        >
          <p>What you changed here is not saved yet.</p>
        </Dialog>
      )}
    </>
  )
}
