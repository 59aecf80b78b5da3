/**
 * One of several processes that deliver from one SQL store; run as a program, without an event store. It is told the
 * time over IPC (`{ now }`), does everything that is due then, and says `done`. What a receiver accepts is appended to a
 * file. At the point numbered `killAt` it kills itself; points lie around every transaction and every message. Which
 * messages were accepted and not yet noted at that moment goes into a second file: only these may come twice.
 */
import { appendFileSync } from 'node:fs'
import { createDeliverWorker, type OutgoingMessage } from '../../../src/features/deliveries/deliver.ts'
import { createDueDeliveries } from '../../../src/features/deliveries/due-deliveries.ts'
import { Runner } from '../../../src/jobs/runner.ts'
import type { SqlStores } from '../../../src/model/stores.ts'
import { openSql } from '../../../src/stores/open.ts'
import { accepted } from '../../../src/transports/outcome.ts'
import { testClock } from '../clock.ts'
import { quietWatch } from '../clock-watch.ts'
import { emptyReport } from './empty-report.ts'

export interface DeliveryProcessParts {
  dataDir: string
  sqlUrl: string | null
  receivedFile: string
  unnotedFile: string
  /** 0: never. */
  killAt: number
}

/** A line of the file of what was received. */
export interface ReceivedLine {
  subscription: number
  scheduledAt: number
  recipient: string
  /** What a receiver recognizes a repeat by. */
  messageId: string | null
}

const parts = JSON.parse(process.argv[2] ?? '') as DeliveryProcessParts
const clock = testClock()
/** Ids of recipients. */
const unnoted = new Set<string>()
let points = 0

function point(): void {
  points += 1
  if (points !== parts.killAt) return
  for (const id of unnoted) appendFileSync(parts.unnotedFile, `<${id}@acme.example>\n`)
  process.kill(process.pid, 'SIGKILL')
}

const { stores: opened } = await openSql({ ...parts, eventsUrl: null, blobsUrl: null })

const stores: SqlStores = {
  ...opened,
  async transaction(work) {
    point()
    const result = await opened.transaction(async (tx) => {
      const inner = await work(tx)
      point()
      return inner
    })
    for (const id of unnoted) {
      if ((await opened.deliveries.findRecipient(id))?.status === 'sent') unnoted.delete(id)
    }
    point()
    return result
  },
}

const post = async ({ delivery, recipient }: OutgoingMessage) => {
  point()
  const line: ReceivedLine = {
    subscription: delivery.subscriptionId,
    scheduledAt: delivery.scheduledAt ?? 0,
    recipient: recipient.recipient,
    messageId: recipient.messageId,
  }
  // A process killed after this line leaves a message that was not recorded.
  unnoted.add(recipient.id)
  appendFileSync(parts.receivedFile, `${JSON.stringify(line)}\n`)
  point()
  return accepted
}

const worker = createDeliverWorker({ stores, clock, makeReport: emptyReport, post, atOnce: 3, canNotify: false })
const runner = new Runner({
  stores,
  clock,
  watch: quietWatch(stores, clock),
  recurring: [
    {
      name: 'due',
      cron: '* * * * *',
      destructive: false,
      run: async () => {
        await createDueDeliveries({ stores, clock, channels: { problemOf: () => null, mailDomain: 'acme.example' } })
      },
    },
  ],
  workers: [worker],
  failed: (job, error) => {
    throw new Error(`job ${job.kind} ${job.key} failed`, { cause: error })
  },
  broken: (error) => {
    throw error
  },
})

process.on('message', ({ now }: { now: number }) => {
  clock.set(now)
  runner.runDue().then(() => process.send?.('done'))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
