import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clearStaging, finishRestore, putInPlace, refuseHalfRestored } from './put-in-place.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-place-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const put = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text)
const read = (...path: string[]) => readFileSync(join(dataDir, ...path), 'utf8')

function makeStores(folder: string, text: string): void {
  mkdirSync(join(folder, 'blobs'), { recursive: true })
  for (const name of ['hedgerow.db', 'events.duckdb', 'blobs/1']) put(folder, name, text)
}

function fill(): void {
  makeStores(dataDir, 'old')
  for (const name of ['hedgerow.db-wal', 'hedgerow.db-shm', 'events.duckdb.wal']) put(dataDir, name, 'old log')
  put(dataDir, 'notes.txt', 'theirs')
  makeStores(clearStaging(dataDir), 'new')
}

function expectReplaced(replaced: string): void {
  expect(['hedgerow.db', 'events.duckdb', 'blobs/1'].map((name) => read(name))).toEqual(['new', 'new', 'new'])
  expect(readdirSync(dataDir).sort()).toEqual(['blobs', 'events.duckdb', 'hedgerow.db', 'notes.txt', replaced].sort())
  expect(readdirSync(join(dataDir, replaced)).sort()).toEqual(
    ['blobs', 'events.duckdb', 'events.duckdb.wal', 'hedgerow.db', 'hedgerow.db-shm', 'hedgerow.db-wal'].sort(),
  )
  expect(read(replaced, 'hedgerow.db')).toBe('old')
}

describe('putting restored stores in place', () => {
  it('moves what is there aside, logs included, and nothing that is not ours', () => {
    fill()
    expect(putInPlace(dataDir, '2026-11-15T12:00:00Z')).toBe(join(dataDir, 'replaced-2026-11-15T12-00-00Z'))
    expectReplaced('replaced-2026-11-15T12-00-00Z')
    expect(finishRestore(dataDir)).toBeNull()
    expect(() => refuseHalfRestored(dataDir)).not.toThrow()
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('is finished after a crash that came after %i renames', (crashAfter) => {
    fill()
    const [ready, replaced] = ['restore-ready-T', 'replaced-T'].map((name) => join(dataDir, name)) as [string, string]
    renameSync(join(dataDir, 'restore-copy'), ready)
    mkdirSync(replaced)
    const steps: [from: string, to: string][] = [
      ...['hedgerow.db', 'hedgerow.db-shm', 'hedgerow.db-wal'].map((name): [string, string] => [
        name,
        `replaced-T/${name}`,
      ]),
      ['restore-ready-T/hedgerow.db', 'hedgerow.db'],
      ...['events.duckdb', 'events.duckdb.wal'].map((name): [string, string] => [name, `replaced-T/${name}`]),
      ['restore-ready-T/events.duckdb', 'events.duckdb'],
      ['blobs', 'replaced-T/blobs'],
      ['restore-ready-T/blobs', 'blobs'],
    ]
    for (const [from, to] of steps.slice(0, crashAfter)) renameSync(join(dataDir, from), join(dataDir, to))
    expect(() => refuseHalfRestored(dataDir)).toThrow('A restore was cut off')
    expect(finishRestore(dataDir)).toBe(replaced)
    expectReplaced('replaced-T')
  })

  it('leaves no empty folder when there was nothing to replace', () => {
    makeStores(clearStaging(dataDir), 'new')
    expect(putInPlace(dataDir, '2026')).toBeNull()
    expect(readdirSync(dataDir).sort()).toEqual(['blobs', 'events.duckdb', 'hedgerow.db'])
  })

  it('refuses stores that were not closed', () => {
    fill()
    put(join(dataDir, 'restore-copy'), 'hedgerow.db-wal', 'not in the file yet')
    expect(() => putInPlace(dataDir, '2026')).toThrow('were not closed: hedgerow.db-wal')
    expect(read('hedgerow.db')).toBe('old')
    expect(existsSync(join(clearStaging(dataDir), 'hedgerow.db'))).toBe(false)
  })
})
