/**
 * The key that the first start generated. It is written to a file that only its owner can read before anything else can
 * fail, because it cannot be recovered. On a terminal it is shown once, by the first start that listens, and the file is
 * removed; otherwise the file stays.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export class FirstKey {
  readonly path: string

  /** `made`: null when this is not the first start, or the operator set the key. */
  constructor(dataDir: string, made: string | null) {
    this.path = resolve(join(dataDir, 'first-key'))
    if (made !== null) writeFileSync(this.path, `${made}\n`, { mode: 0o600 })
  }

  /** The key that is still in its file, if it works; the file of a key that was revoked or rolled is removed. */
  async read(works: (key: string) => Promise<boolean>): Promise<string | null> {
    if (!existsSync(this.path)) return null
    const key = readFileSync(this.path, 'utf8').trim()
    if (await works(key)) return key
    this.forget()
    return null
  }

  forget(): void {
    rmSync(this.path, { force: true })
  }
}
