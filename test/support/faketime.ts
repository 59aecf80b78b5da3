/**
 * The program under Debian's libfaketime: its wall clock is moved by a file, also while it runs; steady time is not
 * affected.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'

const LIBRARIES = '/usr/lib'

function findLibrary(): string | null {
  if (!existsSync(LIBRARIES)) return null
  const paths = readdirSync(LIBRARIES).map((folder) => `${LIBRARIES}/${folder}/faketime/libfaketime.so.1`)
  return paths.find((path) => existsSync(path)) ?? null
}

const LIBRARY = findLibrary()

/** Why the clock cannot be moved here, or null. With CI=true a missing library is not accepted: the test then fails. */
export const noFaketime: string | null =
  LIBRARY !== null || process.env.CI === 'true' ? null : 'libfaketime is not installed (Debian: faketime)'

/** Moves the clock of every program that has the environment for this file. */
export const moveClock = (file: string, days: number): void => writeFileSync(file, `+${days}d`)

export function movedBy(file: string): Record<string, string> {
  if (LIBRARY === null) throw new Error('libfaketime is not installed.')
  return {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}
