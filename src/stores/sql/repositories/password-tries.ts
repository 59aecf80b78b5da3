/** Tries of passwords in SQL. */
import type { PasswordTryWriter } from '../../../model/accounts/password-tries.ts'
import type { Connection } from '../connection.ts'

export function passwordTryWriter({ db }: Connection): PasswordTryWriter {
  const tries = () => db.selectFrom('password_tries').select('at').orderBy('at')
  return {
    async since(subject, since) {
      await db.deleteFrom('password_tries').where('subject', '=', subject).where('at', '<=', since).execute()
      return (await tries().where('subject', '=', subject).execute()).map((row) => row.at)
    },
    async add(subject, at) {
      const made = await db
        .insertInto('password_tries')
        .values({ subject, at })
        .returning('id')
        .executeTakeFirstOrThrow()
      return made.id
    },
    async remove(id) {
      await db.deleteFrom('password_tries').where('id', '=', id).execute()
    },
    async removeBefore(before, limit) {
      const old = db.selectFrom('password_tries').select('id').where('at', '<', before).orderBy('id').limit(limit)
      const { numDeletedRows } = await db.deleteFrom('password_tries').where('id', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
