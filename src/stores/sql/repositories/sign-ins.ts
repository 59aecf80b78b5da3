/** Sign-ins and one-time links in SQL, found by the hash's unique index. */
import type { Selectable } from 'kysely'
import type {
  AccountLinkReader,
  AccountLinkWriter,
  SignIn,
  SignInReader,
  SignInWriter,
} from '../../../model/accounts/sign-in.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import type { SignInTable } from '../tables.ts'

const toSignIn = (row: Selectable<SignInTable>): SignIn => ({
  id: row.id,
  userId: row.user_id,
  via: row.via,
  keyId: row.key_id,
  userAgent: row.user_agent,
  ip: row.ip,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  provedAt: row.proved_at,
})

const findByHash = prepared((db) => db.selectFrom('sign_ins').selectAll().where('hash', '=', arg<string>(0)))

export function signInReader(connection: Connection): SignInReader {
  const { db } = connection
  return {
    async findByHash(hash) {
      const [row] = await findByHash.run(connection, hash)
      return row ? toSignIn(row) : null
    },
    async listOfUser(userId) {
      const rows = await db
        .selectFrom('sign_ins')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(toSignIn)
    },
  }
}

export function signInWriter(connection: Connection): SignInWriter {
  const { db } = connection
  return {
    ...signInReader(connection),
    async create(signIn, hash) {
      await db
        .insertInto('sign_ins')
        .values({
          id: signIn.id,
          user_id: signIn.userId,
          hash,
          via: signIn.via,
          key_id: signIn.keyId,
          user_agent: signIn.userAgent,
          ip: signIn.ip,
          created_at: signIn.createdAt,
          last_used_at: signIn.lastUsedAt,
          proved_at: signIn.provedAt,
        })
        .execute()
    },
    async touch(id, usedAt) {
      await db.updateTable('sign_ins').set({ last_used_at: usedAt }).where('id', '=', id).execute()
    },
    async prove(id, provedAt) {
      await db.updateTable('sign_ins').set({ proved_at: provedAt }).where('id', '=', id).execute()
    },
    async remove(id) {
      const { numDeletedRows } = await db.deleteFrom('sign_ins').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
    async removeOthers(userId, keptId) {
      let query = db.deleteFrom('sign_ins').where('user_id', '=', userId)
      if (keptId !== null) query = query.where('id', '!=', keptId)
      return Number((await query.executeTakeFirst()).numDeletedRows)
    },
    async removeOfKey(keyId) {
      await db.deleteFrom('sign_ins').where('key_id', '=', keyId).execute()
    },
    async removeEnded(unusedSince, madeBefore) {
      const { numDeletedRows } = await db
        .deleteFrom('sign_ins')
        .where((eb) => eb.or([eb('last_used_at', '<', unusedSince), eb('created_at', '<', madeBefore)]))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

export function accountLinkReader({ db }: Connection): AccountLinkReader {
  return {
    async find(hash) {
      const row = await db.selectFrom('account_links').selectAll().where('hash', '=', hash).executeTakeFirst()
      if (!row) return null
      const { user_id, purpose, created_at, expires_at, used_at } = row
      return { userId: user_id, purpose, createdAt: created_at, expiresAt: expires_at, usedAt: used_at }
    },
  }
}

export function accountLinkWriter(connection: Connection): AccountLinkWriter {
  const { db } = connection
  return {
    ...accountLinkReader(connection),
    async create({ userId, purpose, createdAt, expiresAt, usedAt }, hash) {
      await db
        .insertInto('account_links')
        .values({ hash, user_id: userId, purpose, created_at: createdAt, expires_at: expiresAt, used_at: usedAt })
        .execute()
    },
    async use(hash, usedAt) {
      const { numUpdatedRows } = await db
        .updateTable('account_links')
        .set({ used_at: usedAt })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async removeUnused(userId) {
      await db.deleteFrom('account_links').where('user_id', '=', userId).where('used_at', 'is', null).execute()
    },
    async removeExpired(before) {
      const { numDeletedRows } = await db
        .deleteFrom('account_links')
        .where('expires_at', '<', before)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
