/** Until when it takes, in three zones; what the run is doing; and what the last one did. */
import { duration } from '../../../../lib/text/human-format.ts'
import type { DeletionSummary } from '../../data/deletions.ts'
import { classes } from '../../kit/class-names.ts'
import { Card, Stack } from '../../kit/layout/card.tsx'
import { Figure, Figures } from '../../kit/layout/key-figures.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { agoInWords, inZone } from '../../kit/text/moment-words.ts'
import { bytesInWords, Count } from '../../kit/text/number.tsx'
import { useNow } from '../../kit/text/use-now.ts'
import { countdown, PHASES } from './deletion-words.ts'
import styles from './deletions.module.css'

interface SummaryProps {
  summary: DeletionSummary
  zone: string
}

export function Summary({ summary, zone }: SummaryProps) {
  return (
    <div className={styles.pair}>
      <Card title={summary.phase === 'idle' ? 'Next run' : 'A run is under way'}>
        <Stack wide>
          {summary.phase === 'idle' ? (
            <Next summary={summary} zone={zone} />
          ) : (
            <Running summary={summary} zone={zone} />
          )}
        </Stack>
      </Card>
      <Card title="Last run">
        <LastRun run={summary.last_run} zone={zone} />
      </Card>
    </div>
  )
}

const people = (count: number): string => (count === 1 ? 'person' : 'people')

function Next({ summary: { pending, scheduled_for }, zone }: SummaryProps) {
  const now = useNow(1_000)
  const due = Date.parse(scheduled_for)
  return (
    <>
      <Figures>
        <Figure name="Waiting" note={`${people(pending)} whose events go`}>
          <Count value={pending} />
        </Figure>
        <Figure name={due > now ? 'Starts in' : 'Was due'} note="Every Sunday, 05:00 UTC">
          {due > now ? countdown(due - now) : agoInWords(due, now)}
        </Figure>
      </Figures>
      <Zones at={due} zone={zone} />
    </>
  )
}

/** A deletion is one transaction, so there is a phase and no percentage. */
function Running({ summary: { phase, since, pending }, zone }: SummaryProps) {
  const at = PHASES.findIndex(([id]) => id === phase)
  return (
    <>
      <ol className={classes('plain-list', styles.phases)} aria-label="Phases of the run">
        {PHASES.map(([id, name], index) => (
          <li
            key={id}
            className={classes(styles.phase, index < at && styles.passed, index === at && styles.current)}
            aria-current={index === at ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </ol>
      <Notice>
        <p>{PHASES[at]?.[2]}</p>
        <p>
          Since <Moment at={since} zone={zone} />, for <Count value={pending} /> <span>{people(pending)}</span>.
        </p>
      </Notice>
    </>
  )
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

function Zones({ at, zone }: { at: number; zone: string }) {
  const zones = [
    ['Here', HERE],
    ['Project', zone],
    ['UTC', 'UTC'],
  ] as const
  return (
    <dl className={styles.zones}>
      {zones.map(([name, id]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={name}>
          {inZone(at, id).slice(0, -3)} {id !== name && <span className={styles.zoneName}>{id}</span>}
        </dd>,
      ])}
    </dl>
  )
}

function LastRun({ run, zone }: { run: DeletionSummary['last_run']; zone: string }) {
  if (run === null) return <p>There was none yet. After the first, this tells what went.</p>
  const { persons, events, sessions, recordings, bytes_given_back: bytes } = run
  const took = duration((Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1_000)
  return (
    <Stack wide>
      <Figures>
        <Figure name="People">
          <Count value={persons} />
        </Figure>
        <Figure name="Events">
          <Count value={events} />
        </Figure>
        <Figure name="Sessions">
          <Count value={sessions} />
        </Figure>
        <Figure name="Recordings">
          <Count value={recordings} />
        </Figure>
      </Figures>
      <dl className={styles.zones}>
        <dt>Ended</dt>
        <dd>
          <Moment at={run.finished_at} zone={zone} />, took <span>{took}</span>
        </dd>
        <dt>Given back</dt>
        <dd>{bytes === null ? 'not known' : `${bytesInWords(bytes)} by the event store, all projects together`}</dd>
      </dl>
    </Stack>
  )
}
