/** A ZooKeeper for ClickHouse servers of one test, in their folder. It is only there for the soak. */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JARS_OF_ZOOKEEPER } from '../../../scripts/clickhouse.mjs'
import { freePort } from '../servers/server-folder.ts'

const READY_MS = 300_000
const MAIN = 'org.apache.zookeeper.server.quorum.QuorumPeerMain'

const configuration = (folder: string, port: number): string => `tickTime=500
dataDir=${folder}/data
clientPort=${port}
clientPortAddress=127.0.0.1
admin.enableServer=false
forceSync=no
4lw.commands.whitelist=ruok
`

/** Whether it says that it is well. */
const isWell = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    let said = ''
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('ruok'))
    socket.on('data', (some) => {
      said += some
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(said === 'imok'))
  })

/** Returns its port. It ends with the folder. */
export async function startZookeeper(folder: string): Promise<number> {
  mkdirSync(folder)
  const port = await freePort()
  const settings = join(folder, 'zoo.cfg')
  writeFileSync(settings, configuration(folder, port))
  const log = openSync(join(folder, 'console.log'), 'a')
  const args = ['-Xmx256m', '-cp', `${JARS_OF_ZOOKEEPER}/*`, MAIN, settings]
  const server = spawn('java', args, { cwd: folder, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  server.unref()
  let failure: Error | null = null
  server.once('error', (error) => {
    failure = new Error(`ZooKeeper needs a Java runtime: ${error.message}`)
  })
  if (server.pid !== undefined) writeFileSync(join(folder, 'server.pid'), `${server.pid}\n`)
  const deadline = Date.now() + READY_MS
  while (!(await isWell(port))) {
    if (failure) throw failure
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`ZooKeeper did not start:\n${readFileSync(join(folder, 'console.log'), 'utf8')}`)
    await sleep(50)
  }
  return port
}
