/** Ten thousand subscriptions due in one minute: how quickly they are claimed, sent and recorded, and the memory for it. */
import { join } from 'node:path'
import { forkFile, reply, stop } from './child.ts'
import type { DeliveryOrder, DeliveryResult } from './delivery-process.ts'
import type { Figure } from './figure.ts'
import { tempFolder } from './temp-folder.ts'

const SUBSCRIPTIONS = 10_000
const MEMORY_BAR = 300_000_000
const TIME_BAR_MS = 60_000

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

/** One run for both figures. */
const measure = (say: (progress: string) => void): Promise<DeliveryResult> => {
  measured ??= measureOnce(say)
  return measured
}

const perSecond = (ms: number): number => Math.round((SUBSCRIPTIONS / ms) * 1_000)

/** Compared with a minute, because the next ones are due then; the time of bare SQLite for the same commits is printed too. */
export const deliveryTime: Figure = {
  name: '10,000 subscriptions due at once, until all are sent, over 60 s',
  bar: { atMost: 0.5 },
  async measure(say) {
    const { takeMs, sendMs, bareMs } = await measure(say)
    const all = takeMs + sendMs
    const from = `${(all / 1_000).toFixed(1)} s (found ${perSecond(takeMs)}/s, claimed and noted ${perSecond(sendMs)}/s), bare SQLite ${perSecond(bareMs)}/s`
    return { ratio: all / TIME_BAR_MS, from }
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
