/** The list beside the player: it follows the time, and a row leads to its own. */
import { mayReadEvents } from '../../../data/events.ts'
import type { Player } from '../../../data/recordings/use-player.ts'
import { useProject } from '../../../data/session.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { Button } from '../../../kit/form/button.tsx'
import { SearchField } from '../../../kit/form/search-field.tsx'
import { Tabs } from '../../../kit/layout/tabs.tsx'
import { Notice } from '../../../kit/state/notice.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { type ClockId, type Only, replaySearch, TABS, type TabId } from '../replay.search.ts'
import { fileOf, saveFile } from './export-rows.ts'
import styles from './inspector.module.css'
import { InspectorList } from './inspector-list.tsx'
import { NARROWER, onlyIn } from './inspector-rows.ts'
import type { Inspected } from './use-inspector.ts'

const NAMES: Record<TabId, string> = { all: 'All', events: 'Events', console: 'Console', network: 'Network' }
const FILES = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const
const TAB_NAMES = TABS.map((tab) => [tab, NAMES[tab]] as const)

const CLOCK_NAMES: readonly (readonly [ClockId, string])[] = [
  ['start', 'From the start'],
  ['project', 'Project time'],
  ['browser', 'My time'],
  ['utc', 'UTC'],
]

interface InspectorProps extends Inspected {
  player: Player
  sessionId: string
  start: number
}

export function Inspector({ player, sessionId, start, rows, error, onRetry }: InspectorProps) {
  const project = useProject()
  const [{ tab }, change] = useSearchState(replaySearch)
  return (
    <section className={styles.inspector} aria-label="What happened">
      <Tabs label="Kind" tabs={TAB_NAMES} current={tab} onChoose={(chosen) => change({ tab: chosen, only: 'all' })}>
        <Tools onSave={(kind) => saveFile(fileOf(rows, start, kind), kind, sessionId)} />
        {!mayReadEvents(project) && <Notice>To see events, one needs the scope query:read or person:read.</Notice>}
        {error != null && <Problem error={error} onRetry={onRetry} />}
        {tab === 'network' && (
          <p className={styles.note}>
            Addresses, answers and times. What was sent and what came back (bodies and headers) is not recorded.
          </p>
        )}
        <InspectorList rows={rows} player={player} start={start} />
      </Tabs>
    </section>
  )
}

/** What narrows the list, whose clock it has, and what is shown as a file. */
function Tools({ onSave }: { onSave: (kind: (typeof FILES)[number][0]) => void }) {
  const [{ tab, only, f, clock }, change] = useSearchState(replaySearch)
  return (
    <div className={styles.tools}>
      <SearchField label="Search what happened" value={f} onText={(text) => change({ f: text }, { replace: true })} />
      <div className={styles.narrow}>
        <select
          aria-label="Show"
          value={onlyIn(tab, only)}
          onChange={(event) => change({ only: event.currentTarget.value as Only })}
        >
          {NARROWER[tab].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Times"
          value={clock}
          onChange={(event) => change({ clock: event.currentTarget.value as ClockId })}
        >
          {CLOCK_NAMES.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <span className={styles.files}>
          {FILES.map(([kind, name]) => (
            <Button key={kind} small title={`Export what is shown as ${name}`} onClick={() => onSave(kind)}>
              {name}
            </Button>
          ))}
        </span>
      </div>
    </div>
  )
}
