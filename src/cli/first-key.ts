/**
 * The key that the first start generated. It is written to a file that only its owner can read before anything else can
 * fail, because it cannot be recovered. On a terminal it is shown when the server listens, and the file is removed;
 * otherwise the file stays.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class FirstKey {
  readonly path: string
  /** Null when this is not the first start, or the operator set the key. */
  readonly made: string | null

  constructor(dataDir: string, made: string | null) {
    this.path = join(dataDir, 'first-key')
    this.made = made
    if (made !== null) writeFileSync(this.path, `${made}\n`, { mode: 0o600 })
  }

  /** The key itself, if standard output is a terminal. */
  get shown(): string | null {
    return process.stdout.isTTY ? this.made : null
  }

  get isInFile(): boolean {
    return this.shown === null && existsSync(this.path)
  }

  /** After it was printed. */
  forgetShown(): void {
    if (this.shown !== null) rmSync(this.path)
  }
}
