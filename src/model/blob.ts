/**
 * Bytes by key: replay blocks. Keys are `/`-separated segments of [A-Za-z0-9._-], none of them `.` or `..`, and no
 * key lies below another. A prefix is the first segments of keys, with or without a `/` at its end; '' is all.
 * Anything else rejects.
 */

import type { StoreStamp } from './installation.ts'

export interface BlobStore {
  /** Visible whole or not at all; replaces what was there; on the disk itself when it resolves. */
  put(key: string, bytes: Buffer): Promise<void>
  /**
   * Adds bytes to what grows under the key: `at` is where the last recorded append ended, 0 for the first. Bytes
   * beyond it, left by an append whose record was never made, are gone then. On the disk itself when it resolves;
   * cut off, it leaves everything before `at` as it was. Gives false, and nothing is written, when there are fewer
   * bytes than `at`. One append at a time for each key; a key is either put or appended to, never both. (A store
   * that cannot append keeps each stretch as an object of its own, named by key and offset.)
   */
  append(key: string, bytes: Buffer, at: number): Promise<boolean>
  /** A stretch that one append wrote, whole; null when it is not there, or not all of it. */
  read(key: string, offset: number, length: number): Promise<Buffer | null>
  /** Null when there is nothing under the key. */
  get(key: string): Promise<Buffer | null>
  /** Bytes freed when it resolves; false when there was nothing. */
  remove(key: string): Promise<boolean>
  /** Everything under the prefix; how many bytes that freed. */
  removeAll(prefix: string): Promise<number>
  /** Keys below the prefix, sorted. */
  list(prefix: string): Promise<string[]>
  /** Whose store it is, and which start it last saw; null when nobody has said so. It is no blob and has no key. */
  stamp(): Promise<StoreStamp | null>
  /** On the disk itself when it resolves. */
  setStamp(stamp: StoreStamp): Promise<void>
  ping(): Promise<void>
}
