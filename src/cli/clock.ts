/**
 * `hedgerow clock accept`: the operator confirms that the machine's clock is right although it is far ahead of the
 * trusted time. A running server notices at its next poll; otherwise it takes effect at the next start.
 */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import { clockHold, nextClockState } from '../lib/time/clock-trust.ts'
import { formatInstant } from '../lib/time/time.ts'
import { withSql } from './with-sql.ts'

async function accept(args: string[], config: Config): Promise<void> {
  parseArgs({ args, options: {} })
  await withSql(config, async (stores, now) => {
    const before = await stores.clockState.find()
    const hold = before && clockHold(nextClockState(before, { now, elapsed: 0 }))
    if (!hold) {
      process.stdout.write(`The clock says ${formatInstant(now)}, which is as expected: nothing is held.\n`)
      return
    }
    const state = { seenAt: now, trustedAt: now, holdLeft: null }
    await stores.transaction((tx) => tx.clockState.save(state))
    process.stdout.write(`Accepted: it is ${formatInstant(now)}. What is too old by now will be removed.\n`)
  })
}

const ACTIONS = { accept }

export async function clock([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) throw new OperatorError('Say "clock accept".')
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
