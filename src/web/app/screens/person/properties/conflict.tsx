/** A property that is not what one took it for: all values beside each other, and whose is to stay. */
import { Button } from '../../../kit/form/button.tsx'
import { Row } from '../../../kit/layout/card.tsx'
import { Notice } from '../../../kit/state/notice.tsx'
import { JsonValue } from '../../../kit/text/json-value.tsx'
import styles from '../person.module.css'

interface ConflictProps {
  name: string
  /** It was thought that there is none. */
  isNew: boolean
  before: unknown
  now: unknown
  mine: unknown
  busy: boolean
  onMine: () => void
  onTheirs: () => void
}

export function Conflict({ name, isNew, before, now, mine, busy, onMine, onTheirs }: ConflictProps) {
  const rows = [...(isNew ? [] : [['When you began', before] as const]), ['Now', now], ['Yours', mine]] as const
  return (
    <Notice kind="warn">
      <div className={styles.conflict}>
        <p>
          {isNew
            ? `There is a property “${name}” already.`
            : `“${name}” was ${now === undefined ? 'deleted' : 'changed'} by somebody else meanwhile.`}{' '}
          Nothing is saved yet: whose value shall it have?
        </p>
        <dl className={styles.values}>
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <JsonValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
        <Row>
          <Button kind="main" busy={busy} onClick={onMine}>
            Save mine
          </Button>
          <Button onClick={onTheirs}>{now === undefined ? 'Leave it deleted' : 'Keep what is there now'}</Button>
        </Row>
      </div>
    </Notice>
  )
}
