/**
 * The only place that knows everyone: config → stores → features → server. `createApp` opens everything and
 * `close` ends it in the opposite order; nothing listens until the caller says so.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createCallers } from './features/keys/callers.ts'
import { createKeys } from './features/keys/keys.ts'
import { createPersons } from './features/persons/persons.ts'
import { createProjects } from './features/projects/projects.ts'
import { createUsers } from './features/users/users.ts'
import type { IdempotencyMemory } from './http/idempotency.ts'
import { createMetrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import type { Clock } from './lib/clock.ts'
import type { Stores } from './model/stores.ts'
import { routes } from './routes.ts'
import { type Bootstrapped, bootstrap } from './rules/bootstrap.ts'
import { openStores } from './stores/open.ts'

export interface App {
  server: FastifyInstance
  stores: Stores
  /** What the first start made; null on a store that was there before. */
  first: Bootstrapped | null
  /** Finishes requests in hand, then closes the stores. */
  close(): Promise<void>
}

export interface AppParts {
  config: Config
  clock: Clock
  logger: Logger
}

const idempotencyOn = (stores: Stores, clock: Clock): IdempotencyMemory => ({
  begin: (key, bodyHash) => stores.transaction((tx) => tx.idempotency.begin(key, bodyHash, clock.now())),
  finish: (key, status, body) => stores.transaction((tx) => tx.idempotency.finish(key, status, body)),
  abandon: (key) => stores.transaction((tx) => tx.idempotency.abandon(key)),
})

export function buildServer(stores: Stores, { config, clock, logger }: AppParts): FastifyInstance {
  const metrics = createMetrics(async () => {
    const { length, oldestAt } = await stores.outbox.backlog()
    return { length, ageSeconds: oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1_000 }
  })
  const callers = createCallers({
    stores,
    clock,
    failed: (err) => logger.error({ err }, 'last use of a key not noted'),
  })
  const changed = () => callers.forget()
  const checks = {
    sql: () => metrics.timeStore('sql', () => stores.ping()),
    events: () => metrics.timeStore('events', () => stores.events.ping()),
    blobs: () => metrics.timeStore('blobs', () => stores.blobs.ping()),
  }
  const { registry } = metrics
  return createServer({
    routes: routes({
      keys: createKeys({ stores, clock, changed }),
      persons: createPersons({ stores, clock }),
      projects: createProjects({ stores, clock, changed }),
      system: {
        checks,
        metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
        metricsToken: config.metricsToken,
      },
      users: createUsers({ stores, changed }),
    }),
    access: callers,
    idempotency: idempotencyOn(stores, clock),
    metrics,
    clock,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
  })
}

export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock, logger } = parts
  const drainFailed = (err: unknown) => logger.error({ err }, 'the event store did not take a batch; trying again')
  const stores = await openStores(config, { clock, drainFailed })
  try {
    const first = await stores.transaction((tx) => bootstrap(tx, config, clock.now()))
    const server = buildServer(stores, parts)
    await server.ready()
    const close = async () => {
      await server.close()
      await stores.close()
    }
    return { server, stores, first, close }
  } catch (error) {
    await stores.close()
    throw error
  }
}
