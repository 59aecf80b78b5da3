/**
 * Slows down the stores of a test app: before each call of a person reader or of a transaction's writer, other work
 * runs. The embedded SQL store answers within one turn of the event loop, so that requests would never overlap in a
 * test as they do over a network.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { SqlWriters, Stores } from '../../src/model/stores.ts'

let state = 1

/** None, one or two turns, in a fixed odd order. */
function turns(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor(state / 65_536) % 3
}

/** The same methods, each after some turns. */
function slow<T extends object>(target: T): T {
  const methods = Object.entries(target).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      for (let left = turns(); left > 0; left--) await breathe()
      return (method as (...args: unknown[]) => unknown).apply(target, args)
    },
  ])
  return Object.fromEntries(methods) as T
}

/** In addition to the given ones, which are created on first use and cannot be spread. */
const slowWriters = (tx: SqlWriters): SqlWriters =>
  Object.create(tx, {
    persons: { value: slow(tx.persons) },
    activity: { value: slow(tx.activity) },
    outbox: { value: slow(tx.outbox) },
  })

/** In place, as the app keeps the stores it was built with. */
export function slowDown(stores: Stores): void {
  const { transaction, peopleTransaction, exclusiveTransaction } = stores
  stores.transaction = (work) => transaction((tx) => work(slowWriters(tx)))
  stores.peopleTransaction = (ids, work) => peopleTransaction(ids, (tx) => work(slowWriters(tx)))
  stores.exclusiveTransaction = (ids, work) => exclusiveTransaction(ids, (tx) => work(slowWriters(tx)))
  Object.assign(stores.persons, slow({ ...stores.persons }))
}
