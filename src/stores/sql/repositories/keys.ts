/** Personal API keys in SQL, found by the hash's unique index. */
import type { Selectable } from 'kysely'
import type { Key, KeyReader, KeyWriter } from '../../../model/accounts/key.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import type { KeyTable } from '../tables.ts'

const parseList = (text: string | null) => (text === null ? null : JSON.parse(text))
const printList = (list: unknown[] | null) => (list === null ? null : JSON.stringify(list))

const toKey = (row: Selectable<KeyTable>): Key => ({
  id: row.id,
  userId: row.user_id,
  label: row.label,
  maskValue: row.mask_value,
  scopes: JSON.parse(row.scopes),
  scopedTeams: parseList(row.scoped_teams),
  scopedOrganizations: parseList(row.scoped_organizations),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  lastRolledAt: row.last_rolled_at,
  expiresAt: row.expires_at,
})

const findByHash = prepared((db) => db.selectFrom('personal_api_keys').selectAll().where('hash', '=', arg<string>(0)))

export function keyReader(connection: Connection): KeyReader {
  const { db } = connection
  const keys = () => db.selectFrom('personal_api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id')
  return {
    async findByHash(hash) {
      const [row] = await findByHash.run(connection, hash)
      return row ? toKey(row) : null
    },
    async find(id) {
      const row = await db.selectFrom('personal_api_keys').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toKey(row) : null
    },
    async listOfUser(userId) {
      return (await keys().where('user_id', '=', userId).execute()).map(toKey)
    },
    async listAll() {
      return (await keys().execute()).map(toKey)
    },
  }
}

export function keyWriter(connection: Connection): KeyWriter {
  const { db } = connection
  return {
    ...keyReader(connection),
    async create(key, hash) {
      await db
        .insertInto('personal_api_keys')
        .values({
          id: key.id,
          user_id: key.userId,
          label: key.label,
          hash,
          mask_value: key.maskValue,
          scopes: JSON.stringify(key.scopes),
          scoped_teams: printList(key.scopedTeams),
          scoped_organizations: printList(key.scopedOrganizations),
          created_at: key.createdAt,
          last_used_at: key.lastUsedAt,
          last_rolled_at: key.lastRolledAt,
          expires_at: key.expiresAt,
        })
        .execute()
    },
    async replaceHash(id, hash, maskValue, rolledAt) {
      await db
        .updateTable('personal_api_keys')
        .set({ hash, mask_value: maskValue, last_rolled_at: rolledAt })
        .where('id', '=', id)
        .execute()
    },
    async update(id, { label, scopes }) {
      await db
        .updateTable('personal_api_keys')
        .set((eb) => ({
          label: label ?? eb.ref('label'),
          scopes: scopes ? JSON.stringify(scopes) : eb.ref('scopes'),
        }))
        .where('id', '=', id)
        .execute()
    },
    async touch(id, usedAt) {
      await db.updateTable('personal_api_keys').set({ last_used_at: usedAt }).where('id', '=', id).execute()
    },
    async remove(id) {
      const { numDeletedRows } = await db.deleteFrom('personal_api_keys').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
    async removeOfUser(userId) {
      await db.deleteFrom('personal_api_keys').where('user_id', '=', userId).execute()
    },
  }
}
