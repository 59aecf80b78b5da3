/** Shapes of projects on the wire. */
import { type Static, Type } from 'typebox'
import { Body, Choice, DateTime, Line, Nullable, Uuid } from '../../http/schema.ts'
import type { ProjectSettings } from '../../model/accounts/project.ts'

const Retention = Choice(['30d', '90d', '1y', '5y'], { description: 'How long recordings are kept.' })
const NameProperties = Nullable(Type.Array(Type.String({ minLength: 1 }), { maxItems: 50 }))

/** The browser SDK is told these by its configuration, from the next page on. */
const switches = {
  autocapture_exceptions_opt_in: Type.Boolean({ description: 'Whether the browser SDK captures uncaught exceptions.' }),
  autocapture_web_vitals_opt_in: Type.Boolean({ description: 'Whether the browser SDK captures web vitals.' }),
  heatmaps_opt_in: Type.Boolean({ description: 'Whether the browser SDK captures clicks and moves for heatmaps.' }),
  capture_dead_clicks: Type.Boolean({ description: 'Whether the browser SDK captures clicks that change nothing.' }),
  anonymize_ips: Type.Boolean({
    description:
      'Whether events are stored without addresses: neither the sender’s is added as `$ip`, nor is an `$ip` in their properties kept.',
  }),
}

export const ProjectBody = Body({
  id: Type.Integer(),
  uuid: Uuid(),
  organization: Uuid(),
  project_id: Type.Integer(),
  api_token: Type.String({ description: 'The public token that SDKs send.' }),
  name: Type.String(),
  timezone: Type.String(),
  is_demo: Type.Boolean(),
  ingested_event: Type.Boolean({ description: 'Whether it ever took an event.' }),
  created_at: DateTime(),
  person_display_name_properties: Nullable(Type.Array(Type.String())),
  session_recording_opt_in: Type.Boolean(),
  capture_console_log_opt_in: Type.Boolean(),
  session_recording_retention_period: Retention,
  session_recording_quota_bytes: Nullable(Type.Integer()),
  events_retention_days: Nullable(Type.Integer()),
  ...switches,
})

const settings = {
  timezone: Type.Optional(Type.String({ minLength: 1, description: 'IANA name.' })),
  person_display_name_properties: Type.Optional(NameProperties),
  session_recording_opt_in: Type.Optional(Type.Boolean()),
  capture_console_log_opt_in: Type.Optional(Type.Boolean()),
  session_recording_retention_period: Type.Optional(Retention),
  session_recording_quota_bytes: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  events_retention_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 36_500 }))),
  ...Type.Partial(Type.Object(switches)).properties,
}

const Name = Line({ minLength: 1, maxLength: 200 })
export const NewProjectBody = Type.Object({ name: Name, ...settings })
export const ProjectPatch = Type.Object({ name: Type.Optional(Name), ...settings })

const FIELDS: [keyof Static<typeof ProjectPatch>, keyof ProjectSettings][] = [
  ['name', 'name'],
  ['timezone', 'timezone'],
  ['person_display_name_properties', 'personDisplayNameProperties'],
  ['session_recording_opt_in', 'sessionRecordingOptIn'],
  ['capture_console_log_opt_in', 'captureConsoleLogOptIn'],
  ['session_recording_retention_period', 'sessionRecordingRetentionPeriod'],
  ['session_recording_quota_bytes', 'sessionRecordingQuotaBytes'],
  ['events_retention_days', 'eventsRetentionDays'],
  ['autocapture_exceptions_opt_in', 'autocaptureExceptionsOptIn'],
  ['autocapture_web_vitals_opt_in', 'autocaptureWebVitalsOptIn'],
  ['heatmaps_opt_in', 'heatmapsOptIn'],
  ['capture_dead_clicks', 'captureDeadClicks'],
  ['anonymize_ips', 'anonymizeIps'],
]

/** The settings in a body; those it does not contain are absent. */
export function toSettings(body: Static<typeof ProjectPatch>): Partial<ProjectSettings> {
  const named = FIELDS.filter(([wire]) => body[wire] !== undefined)
  return Object.fromEntries(named.map(([wire, field]) => [field, body[wire]])) as Partial<ProjectSettings>
}

export const PROJECT_EXAMPLE = {
  id: 1,
  uuid: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2b',
  organization: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2c',
  project_id: 1,
  api_token: 'phc_…',
  name: 'Default project',
  timezone: 'UTC',
  is_demo: false,
  ingested_event: true,
  created_at: '2026-03-01T09:00:00Z',
  person_display_name_properties: null,
  session_recording_opt_in: true,
  capture_console_log_opt_in: true,
  session_recording_retention_period: '30d',
  session_recording_quota_bytes: null,
  events_retention_days: null,
  autocapture_exceptions_opt_in: false,
  autocapture_web_vitals_opt_in: false,
  heatmaps_opt_in: false,
  capture_dead_clicks: false,
  anonymize_ips: true,
}
