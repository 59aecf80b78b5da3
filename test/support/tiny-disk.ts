/** A disk of a few megabytes, for tests that fill it. Needs root on Linux. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why there is none here, or null. */
export const noTinyDisk: string | null =
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'mounting a small disk needs root on Linux'

export interface TinyDisk {
  folder: string
  /** Takes all space that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
  end(): void
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync(args[0] as string, args.slice(1), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
}

/** Writes pieces of this size until there is no room for another. */
function fillWith(file: number, size: number): void {
  const piece = Buffer.alloc(size, 1)
  let written = size
  while (written === size) {
    try {
      written = writeSync(file, piece)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      return
    }
  }
}

export function makeTinyDisk(megabytes: number): TinyDisk {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-disk-'))
  mount('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a')
      // Ever smaller pieces, so that not a page is left.
      for (const size of [1_048_576, 65_536, 4_096, 512]) fillWith(file, size)
      closeSync(file)
    },
    free: () => rmSync(filler),
    end() {
      mount('umount', folder)
      rmSync(folder, { recursive: true })
    },
  }
}
