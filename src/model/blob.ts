/**
 * Bytes by key: replay blocks. Keys are `/`-separated segments of [A-Za-z0-9._-], none of them `.` or `..`, and no
 * key lies below another. A prefix is the first segments of keys, with or without a `/` at its end; '' is all.
 * Anything else rejects.
 */

import type { StoreStamp } from './installation.ts'

export interface BlobStore {
  /** Atomic; replaces what was there; durable (fsync) when it resolves. */
  put(key: string, bytes: Buffer): Promise<void>
  /**
   * Appends bytes under the key: `at` is where the last recorded append ended, 0 for the first. Bytes beyond it, left by
   * an append that was never recorded, are overwritten. Durable (fsync) when it resolves;
   * if it is interrupted, everything before `at` is unchanged. Returns false, and nothing is written, when there are
   * fewer bytes than `at`. One append at a time per key; a key is either put or appended to, never both. (A store
   * that cannot append keeps each piece as its own object, named by key and offset.)
   */
  append(key: string, bytes: Buffer, at: number): Promise<boolean>
  /** The bytes that one append wrote; null when they are missing or incomplete. */
  read(key: string, offset: number, length: number): Promise<Buffer | null>
  /** Null when there is nothing under the key. */
  get(key: string): Promise<Buffer | null>
  /** The bytes are freed when it resolves; false when there was nothing. */
  remove(key: string): Promise<boolean>
  /** Removes everything under the prefix; returns how many bytes that freed. */
  removeAll(prefix: string): Promise<number>
  /** Keys below the prefix, sorted. */
  list(prefix: string): Promise<string[]>
  /** The installation the store belongs to, and its last start; null when not set yet. It is not a blob and has no key. */
  stamp(): Promise<StoreStamp | null>
  /** Durable (fsync) when it resolves. */
  setStamp(stamp: StoreStamp): Promise<void>
  ping(): Promise<void>
}
