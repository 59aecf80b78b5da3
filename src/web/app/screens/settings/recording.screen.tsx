/** What the browser SDK records, how long it is kept, and how much of it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Project, usageQuery } from '../../data/projects.ts'
import { SelectField, SwitchField, TextField } from '../../kit/form/field.tsx'
import { SaveRow } from '../../kit/form/unsaved.tsx'
import { Card, Stack } from '../../kit/layout/card.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { bytesInWords } from '../../kit/text/number.tsx'
import { fromGigabytes, toGigabytes } from './byte-units.ts'
import styles from './settings.module.css'
import { useSettings } from './use-settings.ts'

const FIELDS = [
  'session_recording_opt_in',
  'capture_console_log_opt_in',
  'session_recording_retention_period',
  'session_recording_quota_bytes',
] as const

const RETENTIONS = [
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['1y', 'One year'],
  ['5y', 'Five years'],
] as const

export function RecordingScreen() {
  const { project, draft, submit, disabled, saving, problemOf, otherProblem } = useSettings(FIELDS)
  const value = draft.value
  return (
    <Card title="Session recording" about="Visitors get a change with the next page they load.">
      <form onSubmit={submit}>
        <Stack>
          <SwitchField
            label="Record sessions"
            hint="Pages, clicks and moves, for replay. What is typed is masked by the SDK."
            checked={value.session_recording_opt_in}
            disabled={disabled}
            onChecked={(checked) => draft.set({ session_recording_opt_in: checked })}
          />
          <SwitchField
            label="Record lines of the console"
            hint="Shown beside the replay. They may hold what your own code prints there."
            checked={value.capture_console_log_opt_in}
            disabled={disabled}
            onChecked={(checked) => draft.set({ capture_console_log_opt_in: checked })}
          />
          <SelectField
            label="Keep recordings for"
            choices={RETENTIONS}
            value={value.session_recording_retention_period}
            disabled={disabled}
            onText={(period) =>
              draft.set({ session_recording_retention_period: period as Project['session_recording_retention_period'] })
            }
            problem={problemOf('session_recording_retention_period')}
            hint="Older ones are removed each night. A shorter time applies to existing recordings too."
          />
          <Quota
            key={String(project.session_recording_quota_bytes)}
            projectId={project.id}
            bytes={value.session_recording_quota_bytes}
            disabled={disabled}
            problem={problemOf('session_recording_quota_bytes')}
            onBytes={(bytes) => draft.set({ session_recording_quota_bytes: bytes })}
          />
          {otherProblem !== null && <Problem error={otherProblem} />}
          <SaveRow {...saving} />
        </Stack>
      </form>
    </Card>
  )
}

interface QuotaProps {
  projectId: number
  bytes: number | null
  disabled: boolean
  problem: string | null
  onBytes: (bytes: number | null) => void
}

function Quota({ projectId, bytes, disabled, problem, onBytes }: QuotaProps) {
  const [text, setText] = useState(() => toGigabytes(bytes))
  const { data: usage } = useQuery(usageQuery(projectId))
  const used = usage?.recordings.stored_bytes
  const isWrong = fromGigabytes(text) === undefined
  return (
    <>
      <TextField
        label="Quota in GB"
        inputMode="decimal"
        placeholder="No limit"
        disabled={disabled}
        value={text}
        onText={(typed) => {
          setText(typed)
          const read = fromGigabytes(typed)
          if (read !== undefined) onBytes(read)
        }}
        problem={isWrong ? 'A number of gigabytes, or nothing.' : problem}
        hint="When it is used up, no more is recorded until older recordings have gone; events are still taken."
      />
      {used !== undefined && bytes !== null && bytes > 0 && (
        <div className={styles.used}>
          <meter max={bytes} high={bytes * 0.9} value={Math.min(used, bytes)} aria-label="Used of the quota" />
          <span>
            {bytesInWords(used)} of {bytesInWords(bytes)} used
          </span>
        </div>
      )}
    </>
  )
}
