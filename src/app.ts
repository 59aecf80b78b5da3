/**
 * From settings to a running server: opens the stores, makes what an empty one needs, builds the features and
 * mounts their routes. `close` ends everything in the opposite order; nothing listens until the caller says so.
 */
import type { FastifyInstance } from 'fastify'
import { type AppParts, buildFeatures, bytesLeft } from './build-features.ts'
import { createCallers } from './features/keys/callers.ts'
import { finishErasing } from './features/recordings/erase.ts'
import { sweepDrafts } from './features/replay/recorder.ts'
import { memoryIn } from './http/idempotency.ts'
import { createMetrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { timedStores } from './http/timed-stores.ts'
import { startSchedule } from './jobs/cron.ts'
import { type DiskWatch, watchDisk } from './lib/disk.ts'
import type { Stores } from './model/stores.ts'
import { type Features, pageRoutes, rawRoutes, routes } from './routes.ts'
import { type Bootstrapped, bootstrap } from './rules/bootstrap.ts'
import { schedule } from './schedule.ts'
import { openStores } from './stores/open.ts'

export interface App {
  server: FastifyInstance
  features: Features
  stores: Stores
  /** What the first start made; null on a store that was there before. */
  first: Bootstrapped | null
  /** Finishes requests in hand, then closes the stores. */
  close(): Promise<void>
}

function build(opened: Stores, parts: AppParts, disk: DiskWatch): { server: FastifyInstance; features: Features } {
  const { config, clock, logger } = parts
  const metrics = createMetrics(async () => {
    const { length, oldestAt } = await opened.outbox.backlog()
    return { length, ageSeconds: oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1_000 }
  })
  const stores = timedStores(opened, metrics)
  const failed = (err: unknown) => logger.error({ err }, 'last use of a key not noted')
  const callers = createCallers({ stores, clock, failed })
  const features = buildFeatures(stores, parts, { metrics, callers, disk })
  const server = createServer({
    routes: routes(features),
    rawRoutes: rawRoutes(features),
    rawBytesInFlight: config.captureBytesInFlight,
    pages: { routes: pageRoutes(features), problem: features.sharedPage.problem },
    access: { ...callers, findShare: features.sharing.openedBy },
    idempotency: memoryIn(stores, clock),
    metrics,
    clock,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
  })
  return { server, features }
}

export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock, logger } = parts
  const drainFailed = (err: unknown) => logger.error({ err }, 'the event store did not take a batch; trying again')
  const stores = await openStores(config, { clock, drainFailed })
  try {
    const first = await stores.transaction((tx) => bootstrap(tx, config, clock.now()))
    const erase = () => finishErasing({ stores, clock, failed: bytesLeft(logger) })
    await erase()
    await sweepDrafts(stores)
    const disk = await watchDisk(config.dataDir, (err) => logger.error({ err }, 'the free space could not be read'))
    const { server, features } = build(stores, parts, disk)
    await server.ready()
    const recurring = startSchedule(schedule({ stores, clock, finishErasing: erase }), (name, err) =>
      logger.error({ err, name }, 'recurring work failed'),
    )
    const close = async () => {
      disk.stop()
      await recurring.stop()
      await server.close()
      await features.capture.capture.close()
      await features.replay.close()
      await stores.close()
    }
    return { server, features, stores, first, close }
  } catch (error) {
    await stores.close()
    throw error
  }
}
