/** Ten thousand subscriptions due in one minute: how quickly each is claimed, sent and noted, and what that holds. */
import { join } from 'node:path'
import { forkFile, reply, stop } from './child.ts'
import type { DeliveryOrder, DeliveryResult } from './delivery-process.ts'
import type { Figure } from './figure.ts'
import { tempFolder } from './temp-folder.ts'

const SUBSCRIPTIONS = 10_000
const MEMORY_BAR = 300_000_000

let measured: Promise<DeliveryResult> | undefined

async function measureOnce(say: (progress: string) => void): Promise<DeliveryResult> {
  say(`${SUBSCRIPTIONS} subscriptions due in one minute`)
  const child = forkFile('delivery-process.ts')
  try {
    const dataDir = tempFolder()
    const order: DeliveryOrder = { dataDir, barePath: join(dataDir, 'bare.db'), subscriptions: SUBSCRIPTIONS }
    child.send(order)
    return await reply<DeliveryResult>(child)
  } finally {
    await stop(child)
  }
}

/** Both figures come of one run. */
const measure = (say: (progress: string) => void): Promise<DeliveryResult> => {
  measured ??= measureOnce(say)
  return measured
}

const perSecond = (ms: number): number => Math.round((SUBSCRIPTIONS / ms) * 1_000)

export const deliveryThroughput: Figure = {
  name: 'deliveries of 10,000 due subscriptions/s over bare SQLite',
  bar: { atLeast: 0.3 },
  async measure(say) {
    const { takeMs, sendMs, bareMs } = await measure(say)
    const all = takeMs + sendMs
    const from = `${perSecond(all)}/s (found ${perSecond(takeMs)}/s, claimed and noted ${perSecond(sendMs)}/s), bare ${perSecond(bareMs)}/s`
    return { ratio: bareMs / all, from }
  },
}

export const deliveryMemory: Figure = {
  name: 'memory while 10,000 subscriptions are due over 300 MB',
  bar: { atMost: 1 },
  async measure(say) {
    const { mostBytes } = await measure(say)
    return { ratio: mostBytes / MEMORY_BAR, from: `${Math.round(mostBytes / 1e6)} MB resident at most` }
  },
}
