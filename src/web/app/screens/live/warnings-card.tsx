/** What was refused, or stored only in part, and why. */
import { useQuery } from '@tanstack/react-query'
import { type BootProject, mayUse } from '../../data/boot.ts'
import { type Warning, warningsQuery } from '../../data/events.ts'
import { Card } from '../../kit/layout/card.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import styles from './live.module.css'

const POLL_MS = 5_000

export function WarningsCard({ project }: { project: BootProject }) {
  const enabled = mayUse(project.scopes, 'project:read')
  const warnings = useQuery({ ...warningsQuery(project.id), enabled, refetchInterval: POLL_MS })
  return (
    <Card title="Warnings" about="The last events that were refused, or stored only in part.">
      {!enabled && <Notice>To see them, one needs the scope project:read.</Notice>}
      {warnings.error && <Problem error={warnings.error} onRetry={() => warnings.refetch()} />}
      {enabled && warnings.isPending && <Skeleton lines={3} />}
      {warnings.data?.length === 0 && <p className={styles.fine}>None. All that came was stored.</p>}
      {warnings.data && warnings.data.length > 0 && (
        <ol className={`plain-list ${styles.warnings}`}>
          {warnings.data.map((warning) => (
            <Told key={warning.id} warning={warning} zone={project.timezone} />
          ))}
        </ol>
      )}
    </Card>
  )
}

const LONGEST = 300

function Told({ warning: { type, details, created_at }, zone }: { warning: Warning; zone: string }) {
  const text = Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
  return (
    <li>
      <strong>{type.replaceAll('_', ' ')}</strong>, <Moment at={created_at} zone={zone} />
      <span className={styles.details}>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</span>
    </li>
  )
}
