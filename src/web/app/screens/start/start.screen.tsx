/** Sending the first event: lines to paste, and the event itself when it has come, or why it was dropped. */
import { Link } from '@tanstack/react-router'
import { type EventRow, mayReadEvents, type Warning } from '../../data/events.ts'
import { useKeys } from '../../data/keyboard.ts'
import { apiHost, projectPath, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Card, Stack } from '../../kit/layout/card.tsx'
import { Tabs } from '../../kit/layout/tabs.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Code } from '../../kit/text/code.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { LANG_NAMES, snippet } from './snippets.ts'
import styles from './start.module.css'
import { LANGS, startSearch } from './start.search.ts'
import { useFirstEvent } from './use-first-event.ts'

const TABS = LANGS.map((lang) => [lang, LANG_NAMES[lang]] as const)

/** As the button does. */
const copySnippet = (): void => document.querySelector<HTMLElement>('[role="tabpanel"] figure button')?.click()

export function StartScreen() {
  const project = useProject()
  const [{ lang }, change] = useSearchState(startSearch)
  const mayRead = mayReadEvents(project)
  const { latest, warnings } = useFirstEvent(project.id, mayRead)
  useKeys({ c: copySnippet })
  return (
    <>
      <Card
        title="Send an event"
        about="PostHog’s own SDKs work here unmodified; only the address and the token are yours."
      >
        <Tabs label="Language" tabs={TABS} current={lang} onChoose={(chosen) => change({ lang: chosen })}>
          <Code
            text={snippet(lang, { host: apiHost, token: project.api_token })}
            label={`Snippet: ${LANG_NAMES[lang]}`}
          />
        </Tabs>
      </Card>
      <Card title="What has arrived">
        <Stack wide>
          {!mayRead && <Notice>To see what arrives, one needs the scope query:read or person:read.</Notice>}
          {latest.error && <Problem error={latest.error} onRetry={() => latest.refetch()} />}
          {mayRead && !latest.error && <Arrived event={latest.data} zone={project.timezone} />}
          {warnings.data && warnings.data.length > 0 && <Warnings warnings={warnings.data} zone={project.timezone} />}
        </Stack>
      </Card>
      <Card
        title="Just looking?"
        about={
          <>
            <code>npm start -- --demo</code> adds a project with an example shop in it: two months of visits, recordings
            that play, and reports.
          </>
        }
      />
    </>
  )
}

function Arrived({ event, zone }: { event: EventRow | null | undefined; zone: string }) {
  if (!event)
    return (
      <p className={styles.waiting} role="status">
        <span className={styles.pulse} aria-hidden="true" />
        <span>Waiting for the first event…</span>
      </p>
    )
  return (
    <>
      <Notice kind="good">It works: events arrive.</Notice>
      <dl className={styles.event}>
        <dt>Event</dt>
        <dd>
          <code>{event.event}</code>
        </dd>
        <dt>Person</dt>
        <dd>
          <Who event={event} />
        </dd>
        <dt>Distinct id</dt>
        <dd>
          <code>{event.distinct_id}</code>
        </dd>
        <dt>When</dt>
        <dd>
          <Moment at={event.timestamp} zone={zone} />
        </dd>
      </dl>
    </>
  )
}

/** Events without a profile are nobody's. */
function Who({ event: { person, distinct_id } }: { event: EventRow }) {
  const project = useProject()
  if (!person) return distinct_id
  return <Link to={projectPath(project, `/persons/${person.uuid}`)}>{person.name}</Link>
}

function Warnings({ warnings, zone }: { warnings: Warning[]; zone: string }) {
  return (
    <Notice kind="warn">
      <p>Some events were refused, or stored only in part:</p>
      <ul className={styles.warnings}>
        {warnings.map(({ id, type, created_at }) => (
          <li key={id}>
            {type.replaceAll('_', ' ')}, <Moment at={created_at} zone={zone} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
