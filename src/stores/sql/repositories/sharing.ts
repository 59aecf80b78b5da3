/** Sharing in SQL: configurations, tokens, passwords. Rows are deleted with their recording by foreign keys. */
import type { Selectable } from 'kysely'
import type { SharePassword, Sharing, SharingReader, SharingWriter } from '../../../model/recordings/sharing.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import type { SharingPasswordTable, SharingTable } from '../recording-tables.ts'

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)
const toText = (settings: Sharing['settings']): string | null => (settings === null ? null : JSON.stringify(settings))

const toSharing = (row: Selectable<SharingTable> & { token: string }): Sharing => ({
  projectId: row.project_id,
  sessionId: row.session_id,
  enabled: row.enabled === 1,
  accessToken: row.token,
  settings: row.settings === null ? null : JSON.parse(row.settings),
  passwordRequired: row.password_required === 1,
  createdAt: row.created_at,
})

const toPassword = (row: Selectable<SharingPasswordTable>): SharePassword => ({
  id: row.id,
  note: row.note,
  createdBy: row.created_by,
  createdAt: row.created_at,
  hash: row.hash,
})

const findCurrent = prepared((db) =>
  db
    .selectFrom('sharing')
    .innerJoin('sharing_tokens', (join) =>
      join
        .onRef('sharing_tokens.project_id', '=', 'sharing.project_id')
        .onRef('sharing_tokens.session_id', '=', 'sharing.session_id')
        .on('sharing_tokens.expires_at', 'is', null),
    )
    .selectAll('sharing')
    .select('sharing_tokens.token')
    .where('sharing.project_id', '=', arg<number>(0))
    .where('sharing.session_id', '=', arg<string>(1)),
)
const findToken = prepared((db) => db.selectFrom('sharing_tokens').selectAll().where('token', '=', arg<string>(0)))

export function sharingReader(connection: Connection): SharingReader {
  const { db } = connection
  const find = async (projectId: number, sessionId: string): Promise<Sharing | null> => {
    const [row] = await findCurrent.run(connection, projectId, sessionId)
    return row ? toSharing(row) : null
  }
  return {
    find,
    async findToken(token) {
      const [row] = await findToken.run(connection, token)
      const sharing = row ? await find(row.project_id, row.session_id) : null
      return row && sharing ? { token: row.token, expiresAt: row.expires_at, sharing } : null
    },
    async passwords(projectId, sessionId) {
      const rows = await db
        .selectFrom('sharing_passwords')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .orderBy('id')
        .execute()
      return rows.map(toPassword)
    },
  }
}

type Tokens = Pick<SharingWriter, 'rotate' | 'dropReplaced'>

function tokenWriter({ db }: Connection): Tokens {
  return {
    async rotate(projectId, sessionId, token, { now, graceUntil }) {
      const place = { project_id: projectId, session_id: sessionId }
      await db
        .deleteFrom('sharing_tokens')
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .where('expires_at', '<=', now)
        .execute()
      await db
        .updateTable('sharing_tokens')
        .set({ expires_at: graceUntil })
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .where('expires_at', 'is', null)
        .execute()
      await db
        .insertInto('sharing_tokens')
        .values({ ...place, token, expires_at: null })
        .execute()
    },
    async dropReplaced(projectId, sessionId) {
      await db
        .deleteFrom('sharing_tokens')
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .where('expires_at', 'is not', null)
        .execute()
    },
  }
}

export function sharingWriter(connection: Connection): SharingWriter {
  const { db } = connection
  const reader = sharingReader(connection)
  return {
    ...reader,
    ...tokenWriter(connection),
    async ensure(projectId, sessionId, token, now) {
      const place = { project_id: projectId, session_id: sessionId }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('sharing')
        .values({ ...place, enabled: 0, settings: null, password_required: 0, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 1n) {
        await db
          .insertInto('sharing_tokens')
          .values({ ...place, token, expires_at: null })
          .execute()
      }
      const sharing = await reader.find(projectId, sessionId)
      if (!sharing) throw new Error('A sharing configuration has no current token.')
      return sharing
    },
    async update(projectId, sessionId, { enabled, settings, passwordRequired }) {
      const row = {
        ...(enabled === undefined ? {} : { enabled: flag(enabled) }),
        ...(settings === undefined ? {} : { settings: toText(settings) }),
        ...(passwordRequired === undefined ? {} : { password_required: flag(passwordRequired) }),
      }
      if (Object.keys(row).length === 0) return
      await db
        .updateTable('sharing')
        .set(row)
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .execute()
    },
    async addPassword(projectId, sessionId, { hash, note, createdBy, createdAt }) {
      const place = { project_id: projectId, session_id: sessionId }
      const row = await db
        .insertInto('sharing_passwords')
        .values({ ...place, hash, note, created_by: createdBy, created_at: createdAt })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toPassword(row)
    },
    async removePassword(projectId, sessionId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('sharing_passwords')
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
