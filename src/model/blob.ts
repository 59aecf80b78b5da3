/**
 * Bytes by key: replay blocks. Keys are `/`-separated segments of [A-Za-z0-9._-], none of them `.` or `..`, and no
 * key lies below another. A prefix is the first segments of keys, with or without a `/` at its end; '' is all.
 * Anything else rejects.
 */

export interface BlobStore {
  /** Visible whole or not at all; replaces what was there; on the disk itself when it resolves. */
  put(key: string, bytes: Buffer): Promise<void>
  /** Null when there is nothing under the key. */
  get(key: string): Promise<Buffer | null>
  /** Bytes freed when it resolves; false when there was nothing. */
  remove(key: string): Promise<boolean>
  /** Everything under the prefix; how many bytes that freed. */
  removeAll(prefix: string): Promise<number>
  /** Keys below the prefix, sorted. */
  list(prefix: string): Promise<string[]>
  ping(): Promise<void>
}
