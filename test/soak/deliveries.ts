/** Subscriptions that come due again and again, and what their receiver gets. */
import pg from 'pg'
import type { PostgresServer } from '../support/postgres/server.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import type { Fleet } from './fleet.ts'

const API = '/api/environments/1'
const SUBSCRIPTIONS = 20
/** A server that is killed so soon after a delivery has not noted that it was made. */
const CRASH_WINDOW_MS = 10_000

export interface DeliveryCounts {
  made: number
  /** Received, and received again though no server or engine was killed in between. */
  doubled: number
  doubledByCrash: number
  /** Noted as made, and never received. */
  lost: number
}

export class Deliveries {
  readonly receiver: Receiver
  /** When each delivery was received, by its id. */
  readonly #received = new Map<string, number[]>()
  #next = 0

  private constructor(receiver: Receiver) {
    this.receiver = receiver
    receiver.answer(({ headers }, response) => {
      const id = String(headers['hedgerow-delivery'])
      this.#received.set(id, [...(this.#received.get(id) ?? []), Date.now()])
      response.end('ok')
    })
  }

  static async start(): Promise<Deliveries> {
    return new Deliveries(await startReceiver())
  }

  async subscribe(fleet: Fleet): Promise<void> {
    const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'event-1' }] }
    const made = await fleet.ask('set-up', 'POST', `${API}/insights/`, { name: 'Events', query })
    if (made.status !== 201) throw new Error(`The insight was refused: ${made.text}`)
    const insight = JSON.parse(made.text).id
    for (let n = 0; n < SUBSCRIPTIONS; n++) {
      const body = {
        insight,
        target_type: 'webhook',
        target_value: `${this.receiver.url}/${n}`,
        frequency: 'weekly',
        start_date: new Date().toISOString(),
      }
      const { status, text } = await fleet.ask('set-up', 'POST', `${API}/subscriptions/`, body)
      if (status !== 201) throw new Error(`A subscription was refused: ${text}`)
    }
  }

  /** One more is due now. */
  async makeDue({ url }: PostgresServer): Promise<void> {
    this.#next = (this.#next % SUBSCRIPTIONS) + 1
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('update subscriptions set next_delivery_date = $1 where id = $2', [Date.now(), this.#next])
    } catch (error) {
      // It is killed now and then.
      console.log(`  no subscription was made due: ${(error as Error).message}`)
    } finally {
      await client.end().catch(() => {})
    }
  }

  async counts({ url }: PostgresServer, kills: number[]): Promise<DeliveryCounts> {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query<{ id: string }>(`select id from deliveries where status = 'completed'`)
    await client.end()
    const hasCrash = (at: number) => kills.some((kill) => kill >= at - 1_000 && kill <= at + CRASH_WINDOW_MS)
    const again = [...this.#received.values()].filter((times) => times.length > 1)
    const byCrash = again.filter(([first = 0]) => hasCrash(first))
    return {
      made: rows.length,
      doubled: again.length - byCrash.length,
      doubledByCrash: byCrash.length,
      lost: rows.filter(({ id }) => !this.#received.has(id)).length,
    }
  }
}
