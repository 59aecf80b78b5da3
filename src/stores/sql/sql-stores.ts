/** Puts the repositories of this folder together: readers on one connection, writers inside a transaction. */
import { sql } from 'kysely'
import type { SqlReaders, SqlStores, SqlWriters } from '../../model/stores.ts'
import { activityReader, activityWriter } from './activity.ts'
import type { Connection } from './connection.ts'
import { deletionReader, deletionWriter } from './deletions.ts'
import { idempotencyWriter } from './idempotency.ts'
import { keyReader, keyWriter } from './keys.ts'
import { outboxReader, outboxWriter } from './outbox.ts'
import { personReader, personWriter } from './persons.ts'
import { projectReader, projectWriter } from './projects.ts'
import { secretWriter } from './secrets.ts'
import { userReader, userWriter } from './users.ts'

const readers = (connection: Connection): SqlReaders => ({
  projects: projectReader(connection),
  users: userReader(connection),
  keys: keyReader(connection),
  persons: personReader(connection),
  activity: activityReader(connection),
  deletions: deletionReader(connection),
  outbox: outboxReader(connection),
})

const writers = (connection: Connection): SqlWriters => ({
  projects: projectWriter(connection),
  users: userWriter(connection),
  keys: keyWriter(connection),
  persons: personWriter(connection),
  activity: activityWriter(connection),
  deletions: deletionWriter(connection),
  outbox: outboxWriter(connection),
  idempotency: idempotencyWriter(connection),
  secrets: secretWriter(connection),
})

/** `committed` is told after each transaction that held. */
export function sqlStores(reader: Connection, writer: Connection, committed: () => void): SqlStores {
  return {
    ...readers(reader),
    async transaction(work) {
      const result = await writer.db.transaction().execute((trx) => work(writers({ ...writer, db: trx })))
      committed()
      return result
    },
    async ping() {
      await sql`select 1`.execute(reader.db)
    },
  }
}
