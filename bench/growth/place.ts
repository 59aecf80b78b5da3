/** One size of the growth bench: a running server on a copy of its folder, and the stores of a second copy. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../../src/stores/duckdb/database.ts'
import { API_KEY, type RunningServer, startServer } from '../child.ts'
import { tempFolder } from '../temp-folder.ts'
import { Bare, type Read, type Scene } from './read.ts'
import { fillColumns, type Seeded, seededFolder } from './seed.ts'
import type { Size } from './world.ts'

type Say = (progress: string) => void

export interface Place {
  scene: Scene
  server: RunningServer
  bare: Bare
  /** What capture knows the project by. */
  token: string
  close(): Promise<void>
}

async function openBare({ dataDir }: Seeded): Promise<{ bare: Bare; close: () => Promise<void> }> {
  const copy = tempFolder()
  for (const file of ['events.duckdb', 'hedgerow.db']) copyFileSync(join(dataDir, file), join(copy, file))
  await fillColumns(copy, true)
  const events = await openDatabase(join(copy, 'events.duckdb'))
  const sql = new Sqlite(join(copy, 'hedgerow.db'))
  const close = async () => {
    sql.close()
    await events.close()
  }
  return { bare: new Bare(events, sql), close }
}

export async function openPlace(size: Size, say: Say): Promise<Place> {
  const seeded = await seededFolder(size, say)
  const { bare, close } = await openBare(seeded)
  const server = await startServer(seeded.dataDir)
  const stop = async () => {
    await server.stop()
    await close()
  }
  const [[token] = []] = bare.sql('SELECT api_token FROM projects WHERE id = 1')
  return { scene: { size, now: seeded.now }, server, bare, token: String(token), close: stop }
}

interface Timed {
  ms: number
  answer: unknown
}

export class RefusedRead extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(`${status}: ${text.slice(0, 200)}`)
    this.status = status
  }
}

export async function asked(read: Read, { scene, server }: Place): Promise<Timed> {
  const { path, body } = read.request(scene)
  const begun = performance.now()
  const response = await fetch(`http://127.0.0.1:${server.port}/api/environments/1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const ms = performance.now() - begun
  if (response.status !== 200) throw new RefusedRead(response.status, text)
  return { ms, answer: read.answer(JSON.parse(text) as never) }
}

export async function bareTimed(read: Read, { scene, bare }: Place): Promise<Timed | null> {
  if (!read.bare) return null
  const begun = performance.now()
  const answer = await read.bare(bare, scene)
  return { ms: performance.now() - begun, answer }
}
