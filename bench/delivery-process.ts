/**
 * Delivers many subscriptions that are due in one minute, in a separate process so that its memory can be measured. The
 * receiver accepts everything at once: this measures finding, claiming and recording, not the network. The bare loop
 * for comparison does the same writes in the same transactions by prepared statements, without any logic.
 */
import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import { createDeliverWorker } from '../src/features/deliveries/deliver.ts'
import { createDueDeliveries } from '../src/features/deliveries/due-deliveries.ts'
import { Runner } from '../src/jobs/runner.ts'
import { insertProject, insertUser, NOW, newSubscription } from '../src/stores/contract/sql-builders.ts'
import { openSql } from '../src/stores/open.ts'
import { accepted } from '../src/transports/outcome.ts'
import { quietWatch } from '../test/support/clock-watch.ts'
import { emptyReport } from '../test/support/deliveries/empty-report.ts'

export interface DeliveryOrder {
  dataDir: string
  barePath: string
  subscriptions: number
}

export interface DeliveryResult {
  /** Finding what is due: until deliveries and jobs are created and dates advanced. */
  takeMs: number
  /** From there until every recipient is recorded as sent. */
  sendMs: number
  bareMs: number
  mostBytes: number
}

async function prepare({ dataDir, subscriptions }: DeliveryOrder) {
  const opened = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  const { stores } = opened
  const projectId = (await insertProject(stores)).id
  const createdById = (await insertUser(stores)).id
  const subscription = newSubscription({ projectId, createdById, nextDeliveryDate: NOW })
  await stores.transaction(async (tx) => {
    for (let i = 0; i < subscriptions; i++) await tx.subscriptions.create(subscription)
  })
  return opened
}

const fail = (error: unknown): never => {
  throw error
}

async function deliver(order: DeliveryOrder): Promise<Omit<DeliveryResult, 'bareMs'>> {
  const { stores, close } = await prepare(order)
  const clock = { now: () => NOW, steady: () => 0 }
  let sent = 0
  let mostBytes = 0
  const sampleMemory = () => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
  }
  const post = async () => {
    sent += 1
    if (sent % 500 === 0) sampleMemory()
    return accepted
  }
  const worker = createDeliverWorker({ stores, clock, makeReport: emptyReport, post, canNotify: false })
  const failed = (_job: unknown, error: unknown) => fail(error)
  const watch = quietWatch(stores, clock)
  const runner = new Runner({ stores, clock, watch, recurring: [], workers: [worker], failed, broken: fail })
  const startedAt = performance.now()
  await createDueDeliveries({ stores, clock, channels: { problemOf: () => null, mailDomain: 'acme.example' } })
  const taken = performance.now()
  sampleMemory()
  await runner.runDue()
  const ended = performance.now()
  if (sent !== order.subscriptions) throw new Error(`${sent} of ${order.subscriptions} were sent.`)
  await close()
  return { takeMs: taken - startedAt, sendMs: ended - taken, mostBytes }
}

const AT_ONCE = 200
const CLAIMED_AT_ONCE = 100
const SENT_AT_ONCE = 10

/** Claims, marks, records and completes each, with the same number per transaction as the runner at full load. */
function bare({ barePath, subscriptions }: DeliveryOrder): number {
  const db = new Database(barePath)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`
    create table subscriptions (id integer primary key, due integer);
    create index due on subscriptions (due);
    create table deliveries (id text primary key, subscription integer, key text unique, status text);
    create table recipients (id text primary key, delivery text, recipient text, status text, attempts integer);
    create unique index once on recipients (delivery, recipient);
    create table jobs (id integer primary key, kind text, key text, run_at integer, owner text, attempts integer);
    create unique index job on jobs (kind, key);`)
  const one = (text: string) => {
    const statement = db.prepare(text)
    return (...values: unknown[]) => statement.run(...values)
  }
  const subscribe = one('insert into subscriptions (due) values (1)')
  const move = one('update subscriptions set due = 2 where id = ? and due = 1')
  const deliver = one("insert into deliveries values (?, ?, ?, 'starting')")
  const address = one("insert into recipients values (?, ?, 'ann@example.com', 'pending', 0)")
  const queue = one("insert into jobs (kind, key, run_at, attempts) values ('deliver', ?, 1, 0)")
  const claim = one('update jobs set owner = ?, attempts = attempts + 1 where id = ?')
  const mark = one('update recipients set status = ?, attempts = attempts + 1 where id = ?')
  const settle = one("update deliveries set status = 'completed' where id = ?")
  const end = one('delete from jobs where id = ?')
  const inOne = (work: () => void) => db.transaction(work).immediate()
  inOne(() => {
    for (let i = 0; i < subscriptions; i++) subscribe()
  })
  const rows: { delivery: string; recipient: string }[] = []
  const startedAt = performance.now()
  for (let from = 1; from <= subscriptions; from += AT_ONCE) {
    inOne(() => {
      for (let id = from; id < from + AT_ONCE && id <= subscriptions; id++) {
        const row = { delivery: randomUUID(), recipient: randomUUID() }
        rows.push(row)
        move(id)
        deliver(row.delivery, id, `${id}:scheduled:1`)
        address(row.recipient, row.delivery)
        queue(row.recipient)
      }
    })
  }
  for (let from = 0; from < subscriptions; from += SENT_AT_ONCE) {
    if (from % CLAIMED_AT_ONCE === 0) {
      inOne(() => {
        for (let id = from + 1; id <= from + CLAIMED_AT_ONCE; id++) claim('me', id)
      })
    }
    const group = rows.slice(from, from + SENT_AT_ONCE)
    inOne(() => {
      for (const { recipient } of group) mark('sending', recipient)
    })
    inOne(() => {
      for (const [place, { delivery, recipient }] of group.entries()) {
        mark('sent', recipient)
        settle(delivery)
        end(from + place + 1)
      }
    })
  }
  const ms = performance.now() - startedAt
  db.close()
  return ms
}

process.on('message', async (order: DeliveryOrder) => {
  const delivered = await deliver(order)
  const result: DeliveryResult = { ...delivered, bareMs: bare(order) }
  process.send?.(result)
})
process.on('disconnect', () => process.exit(0))
