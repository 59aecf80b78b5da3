/** Users, organisations and memberships in SQL. */
import { type Selectable, sql } from 'kysely'
import type { User, UserPatch, UserReader, UserWriter } from '../../../model/accounts/user.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import type { UserTable } from '../tables.ts'

const toUser = (row: Selectable<UserTable>): User => ({
  id: row.id,
  uuid: row.uuid,
  distinctId: row.distinct_id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  isEmailVerified: row.is_email_verified === 1,
  isActive: row.is_active === 1,
  currentProjectId: row.current_project_id,
  themeMode: row.theme_mode,
  createdAt: row.created_at,
})

const findById = prepared((db) => db.selectFrom('users').selectAll().where('id', '=', arg<number>(0)))
const membershipsOf = prepared((db) =>
  db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'level'])
    .where('user_id', '=', arg<number>(0))
    .orderBy('organizations.created_at')
    .orderBy('organizations.id'),
)

export function userReader(connection: Connection): UserReader {
  const { db } = connection
  const toOrganization = (row: { id: string; name: string; created_at: number }) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
  })
  return {
    async find(id) {
      const [row] = await findById.run(connection, id)
      return row ? toUser(row) : null
    },
    async findByEmail(email) {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where(sql`lower(email)`, '=', email.toLowerCase())
        .where('is_active', '=', 1)
        .executeTakeFirst()
      return row ? toUser(row) : null
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
      return rows.map(toUser)
    },
    async list() {
      const rows = await db.selectFrom('users').selectAll().where('is_active', '=', 1).orderBy('id').execute()
      return rows.map(toUser)
    },
    async memberships(userId) {
      const rows = await membershipsOf.run(connection, userId)
      return rows.map(({ organization_id, level }) => ({ organizationId: organization_id, level }))
    },
    async members(organizationId) {
      const rows = await db
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .select(['user_id', 'level'])
        .where('organization_id', '=', organizationId)
        .where('is_active', '=', 1)
        .orderBy('user_id')
        .execute()
      return rows.map(({ user_id, level }) => ({ userId: user_id, level }))
    },
    async passwordHash(userId) {
      const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
      return row?.password_hash ?? null
    },
    async havePasswords() {
      const some = db.selectFrom('users').select('id').where('password_hash', 'is not', null).where('is_active', '=', 1)
      return (await some.limit(1).executeTakeFirst()) !== undefined
    },
    async findOrganization(id) {
      const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toOrganization(row) : null
    },
    async listOrganizations() {
      const rows = await db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute()
      return rows.map(toOrganization)
    },
  }
}

function patchRow(patch: UserPatch) {
  return {
    ...(patch.firstName === undefined ? {} : { first_name: patch.firstName }),
    ...(patch.lastName === undefined ? {} : { last_name: patch.lastName }),
    ...(patch.currentProjectId === undefined ? {} : { current_project_id: patch.currentProjectId }),
    ...(patch.themeMode === undefined ? {} : { theme_mode: patch.themeMode }),
    ...(patch.isActive === undefined ? {} : { is_active: patch.isActive ? (1 as const) : (0 as const) }),
  }
}

export function userWriter(connection: Connection): UserWriter {
  const { db } = connection
  const reader = userReader(connection)
  return {
    ...reader,
    async create(user) {
      const row = await db
        .insertInto('users')
        .values({
          uuid: user.uuid,
          distinct_id: user.distinctId,
          email: user.email,
          first_name: user.firstName,
          last_name: user.lastName,
          is_email_verified: 0,
          is_active: 1,
          current_project_id: user.currentProjectId,
          created_at: user.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toUser(row)
    },
    async update(id, patch) {
      const row = patchRow(patch)
      if (Object.keys(row).length > 0) await db.updateTable('users').set(row).where('id', '=', id).execute()
      return reader.find(id)
    },
    async setPassword(userId, hash) {
      await db.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
    },
    async createOrganization({ id, name, createdAt }) {
      await db.insertInto('organizations').values({ id, name, created_at: createdAt }).execute()
    },
    async addMember(organizationId, userId, level) {
      await db
        .insertInto('memberships')
        .values({ organization_id: organizationId, user_id: userId, level })
        .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ level }))
        .execute()
    },
    async removeMember(organizationId, userId) {
      const { numDeletedRows } = await db
        .deleteFrom('memberships')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async removeMemberships(userId) {
      await db.deleteFrom('memberships').where('user_id', '=', userId).execute()
    },
  }
}
