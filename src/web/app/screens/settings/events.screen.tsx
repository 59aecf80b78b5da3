/** What the browser SDK captures by itself, whether addresses are kept, and how long events are. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ProjectPatch, usageQuery } from '../../data/projects.ts'
import { SwitchField, TextField } from '../../kit/form/field.tsx'
import { SaveRow } from '../../kit/form/unsaved.tsx'
import { Card, Stack } from '../../kit/layout/card.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { dayInZone } from '../../kit/text/moment-words.ts'
import { Count } from '../../kit/text/number.tsx'
import { useSettings } from './use-settings.ts'

type Switch =
  | 'autocapture_exceptions_opt_in'
  | 'autocapture_web_vitals_opt_in'
  | 'heatmaps_opt_in'
  | 'capture_dead_clicks'
  | 'anonymize_ips'

const SWITCHES: [Switch, string, string][] = [
  ['autocapture_exceptions_opt_in', 'Capture exceptions', 'Errors that a page does not catch become events.'],
  ['autocapture_web_vitals_opt_in', 'Capture web vitals', 'How fast pages were for those who opened them.'],
  ['heatmaps_opt_in', 'Capture clicks and moves for heatmaps', 'Where on a page people click and scroll.'],
  ['capture_dead_clicks', 'Capture dead clicks', 'Clicks after which nothing changed.'],
  ['anonymize_ips', 'Keep no IP addresses', 'Events are stored without the address that they came from.'],
]
const FIELDS: (keyof ProjectPatch)[] = [...SWITCHES.map(([field]) => field), 'events_retention_days']

export function EventsScreen() {
  const { project, draft, submit, disabled, saving, problemOf, otherProblem } = useSettings(FIELDS)
  return (
    <Card title="What is captured and kept" about="Visitors get a change with the next page they load.">
      <form onSubmit={submit}>
        <Stack>
          {SWITCHES.map(([field, label, hint]) => (
            <SwitchField
              key={field}
              label={label}
              hint={hint}
              checked={draft.value[field]}
              disabled={disabled}
              onChecked={(checked) => draft.set({ [field]: checked })}
            />
          ))}
          <Retention
            key={String(project.events_retention_days)}
            kept={<Kept projectId={project.id} zone={project.timezone} />}
            days={draft.value.events_retention_days}
            disabled={disabled}
            problem={problemOf('events_retention_days')}
            onDays={(days) => draft.set({ events_retention_days: days })}
          />
          {otherProblem !== null && <Problem error={otherProblem} />}
          <SaveRow {...saving} />
        </Stack>
      </form>
    </Card>
  )
}

interface RetentionProps {
  kept: ReactNode
  days: number | null
  disabled: boolean
  problem: string | null
  onDays: (days: number | null) => void
}

function Retention({ kept, days, disabled, problem, onDays }: RetentionProps) {
  const [text, setText] = useState(days === null ? '' : String(days))
  const isWrong = text.trim() !== '' && !/^[1-9]\d{0,4}$/.test(text.trim())
  return (
    <TextField
      label="Days to keep events"
      inputMode="numeric"
      placeholder="Forever"
      disabled={disabled}
      value={text}
      onText={(typed) => {
        setText(typed)
        if (typed.trim() === '') onDays(null)
        else if (/^[1-9]\d{0,4}$/.test(typed.trim())) onDays(Number(typed))
      }}
      problem={isWrong ? 'A whole number of days, or nothing.' : problem}
      hint={<>Older events are removed each night, for good; people stay. {kept}</>}
    />
  )
}

/** What there is now, so that one knows what a number of days means. */
function Kept({ projectId, zone }: { projectId: number; zone: string }) {
  const { data: usage } = useQuery(usageQuery(projectId))
  if (!usage) return null
  const { count, first_at: first } = usage.events
  if (first === null) return <span>No events are stored yet.</span>
  return (
    <span>
      Stored now: <Count value={count} /> {count === 1 ? 'event' : 'events'}, the oldest from{' '}
      {dayInZone(Date.parse(first), zone)} ({zone}).
    </span>
  )
}
