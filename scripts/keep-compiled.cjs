/**
 * `node scripts/keep-compiled.cjs <build folder>`: starts the bundled server, lets it answer once and writes what the
 * engine has compiled until then next to the bundles. The data folder and the port are those of the environment.
 */
const { once } = require('node:events')
const { chmodSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout: pause } = require('node:timers/promises')
const { isMainThread, MessageChannel, Worker, workerData } = require('node:worker_threads')

const POLL_MS = 20

/** Complete or not there. */
function write(bundles, name, script) {
  const file = bundles.compiledFileOf(name)
  writeFileSync(`${file}.new`, script.createCachedData())
  // The server has narrowed what others may read of new files.
  chmodSync(`${file}.new`, 0o644)
  renameSync(`${file}.new`, file)
}

async function untilReady() {
  for (;;) {
    try {
      const { url } = JSON.parse(readFileSync(join(process.env.HEDGEROW_DATA_DIR, 'server.json'), 'utf8'))
      const { status } = await fetch(`${url}/_ready`)
      if (status === 200) return
    } catch {
      // It does not listen yet.
    }
    if (process.exitCode) process.exit()
    await pause(POLL_MS)
  }
}

async function inMainThread(folder) {
  const bundles = require(join(folder, 'lib', 'bundle.cjs'))
  const { port1, port2 } = new MessageChannel()
  const eventsWorker = new Worker(__filename, { workerData: { folder, port: port2 }, transferList: [port2] })
  const scanWorker = new Worker(__filename, { workerData: { folder } })
  const scanEnd = once(scanWorker, 'exit')
  const script = bundles.compile('serve')
  process.argv = [process.execPath, join(folder, 'start.cjs'), 'serve']
  void bundles.run('serve', script).start(eventsWorker)
  await untilReady()
  write(bundles, 'serve', script)
  scanWorker.postMessage(null)
  await scanEnd
  port1.postMessage('write')
  port1.once('message', () => process.kill(process.pid, 'SIGTERM'))
}

function inEventsThread({ folder, port }) {
  const bundles = require(join(folder, 'lib', 'bundle.cjs'))
  const script = bundles.compile('events-worker')
  port.once('message', () => {
    write(bundles, 'events-worker', script)
    port.postMessage('written')
  })
  bundles.run('events-worker', script)
}

/** Of what the thread has loaded; it is given nothing to open. */
function inScanThread({ folder }) {
  const bundles = require(join(folder, 'lib', 'bundle.cjs'))
  const script = bundles.compile('scan-worker')
  bundles.run('scan-worker', script)
  write(bundles, 'scan-worker', script)
}

if (isMainThread) void inMainThread(process.argv[2])
else if (workerData.port) inEventsThread(workerData)
else inScanThread(workerData)
