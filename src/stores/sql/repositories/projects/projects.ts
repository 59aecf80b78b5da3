/** Projects in SQL. */
import { type Selectable, sql } from 'kysely'
import type {
  Project,
  ProjectFilter,
  ProjectReader,
  ProjectSettings,
  ProjectWriter,
} from '../../../../model/accounts/project.ts'
import { arg, type Connection, prepared } from '../../connection.ts'
import type { ProjectTable } from '../../tables.ts'
import { clearPortion } from './project-removal.ts'

const toProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  apiToken: row.api_token,
  name: row.name,
  timezone: row.timezone,
  personDisplayNameProperties:
    row.person_display_name_properties === null ? null : JSON.parse(row.person_display_name_properties),
  sessionRecordingOptIn: row.session_recording_opt_in === 1,
  captureConsoleLogOptIn: row.capture_console_log_opt_in === 1,
  sessionRecordingRetentionPeriod:
    row.session_recording_retention_period as ProjectSettings['sessionRecordingRetentionPeriod'],
  sessionRecordingQuotaBytes: row.session_recording_quota_bytes,
  eventsRetentionDays: row.events_retention_days,
  autocaptureExceptionsOptIn: row.autocapture_exceptions_opt_in === 1,
  autocaptureWebVitalsOptIn: row.autocapture_web_vitals_opt_in === 1,
  heatmapsOptIn: row.heatmaps_opt_in === 1,
  captureDeadClicks: row.capture_dead_clicks === 1,
  anonymizeIps: row.anonymize_ips === 1,
  isDemo: row.is_demo === 1,
  ingestedEvent: row.ingested_event === 1,
  createdAt: row.created_at,
})

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

const toRow = (settings: ProjectSettings) => ({
  name: settings.name,
  timezone: settings.timezone,
  person_display_name_properties:
    settings.personDisplayNameProperties === null ? null : JSON.stringify(settings.personDisplayNameProperties),
  session_recording_opt_in: flag(settings.sessionRecordingOptIn),
  capture_console_log_opt_in: flag(settings.captureConsoleLogOptIn),
  session_recording_retention_period: settings.sessionRecordingRetentionPeriod,
  session_recording_quota_bytes: settings.sessionRecordingQuotaBytes,
  events_retention_days: settings.eventsRetentionDays,
  autocapture_exceptions_opt_in: flag(settings.autocaptureExceptionsOptIn),
  autocapture_web_vitals_opt_in: flag(settings.autocaptureWebVitalsOptIn),
  heatmaps_opt_in: flag(settings.heatmapsOptIn),
  capture_dead_clicks: flag(settings.captureDeadClicks),
  anonymize_ips: flag(settings.anonymizeIps),
})

/** A project that is being removed is not found. */
const existing = (db: Connection['db']) => db.selectFrom('projects').where('removed_at', 'is', null)

const findById = prepared((db) => existing(db).selectAll().where('id', '=', arg<number>(0)))
const findByToken = prepared((db) => existing(db).selectAll().where('api_token', '=', arg<string>(0)))

export function projectReader(connection: Connection): ProjectReader {
  const { db, dialect } = connection
  const filtered = ({ organizationIds, ids, search }: ProjectFilter) => {
    let query = existing(db)
    if (organizationIds) query = query.where('organization_id', 'in', organizationIds.length ? organizationIds : [''])
    if (ids) query = query.where('id', 'in', ids.length ? ids : [-1])
    if (search) query = query.where(dialect.contains(sql.ref('name'), search))
    return query
  }
  return {
    async find(id) {
      const [row] = await findById.run(connection, id)
      return row ? toProject(row) : null
    },
    async findByToken(apiToken) {
      const [row] = await findByToken.run(connection, apiToken)
      return row ? toProject(row) : null
    },
    async list(filter, { limit, offset }) {
      const { count } = await filtered(filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const rows = await filtered(filter).selectAll().orderBy('id').limit(limit).offset(offset).execute()
      return { count, items: rows.map(toProject) }
    },
    async first(organizationIds) {
      const [row] = await filtered({ organizationIds, ids: null, search: null })
        .selectAll()
        .orderBy('id')
        .limit(1)
        .execute()
      return row ? toProject(row) : null
    },
  }
}

export function projectWriter(connection: Connection): ProjectWriter {
  const { db } = connection
  const reader = projectReader(connection)
  return {
    ...reader,
    async create(project) {
      const row = await db
        .insertInto('projects')
        .values({
          ...toRow(project),
          uuid: project.uuid,
          organization_id: project.organizationId,
          api_token: project.apiToken,
          is_demo: flag(project.isDemo),
          created_at: project.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toProject(row)
    },
    async update(id, patch) {
      const current = await reader.find(id)
      if (!current) return null
      const { apiToken, ...settings } = { ...current, ...patch }
      const row = await db
        .updateTable('projects')
        .set({ ...toRow(settings), api_token: apiToken })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toProject(row)
    },
    async noteEvent(id) {
      await db.updateTable('projects').set({ ingested_event: 1 }).where('id', '=', id).execute()
    },
    async markRemoved(id, at) {
      const { numUpdatedRows } = await db
        .updateTable('projects')
        .set({ removed_at: at })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      await db.updateTable('users').set({ current_project_id: null }).where('current_project_id', '=', id).execute()
      return numUpdatedRows > 0n
    },
    clear: (id, from) => clearPortion(connection, id, from),
    async forget(id) {
      await db.deleteFrom('projects').where('id', '=', id).where('removed_at', 'is not', null).execute()
    },
  }
}
