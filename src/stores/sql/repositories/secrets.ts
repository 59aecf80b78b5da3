/** Secrets the server generated, stored with the data so that every process has them. */
import type { SecretWriter } from '../../../model/secret.ts'
import type { Connection } from '../connection.ts'

export function secretWriter({ db }: Connection): SecretWriter {
  return {
    async findOrCreate(name, make) {
      const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
      if (row) return row.value
      const value = make()
      await db.insertInto('secrets').values({ name, value }).execute()
      return value
    },
  }
}
