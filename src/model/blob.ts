/**
 * Bytes by key: replay blocks. Keys are `/`-separated segments of [A-Za-z0-9._-], none of them `.` or `..`, and no
 * key lies below another. A prefix is the first segments of keys, with or without a `/` at its end; '' is all.
 * Anything else rejects.
 */

import type { StoreStamp } from './installation.ts'

/** How the key of a blob ends that was put, and of which any range is read. */
const WHOLE = '.whole'

export const wholeKey = (name: string): string => `${name}${WHOLE}`
export const isWhole = (key: string): boolean => key.endsWith(WHOLE)

/** What a store keeps, and removes, as one: a blob that was put, what one append wrote, or all that a file has of it. */
export interface BlobPart {
  key: string
  /** Where its bytes begin under the key. */
  offset: number
  bytes: number
  /** When it was last written to, by the clock of the store. */
  changedAt: number
}

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
  /** The bytes that one append wrote, or any of a whole key (`isWhole`); null when they are missing or incomplete. */
  read(key: string, offset: number, length: number): Promise<Buffer | null>
  /** Null when there is nothing under the key. */
  get(key: string): Promise<Buffer | null>
  /** The bytes are freed when it resolves; false when there was nothing. */
  remove(key: string): Promise<boolean>
  /** Removes everything under the prefix; returns how many bytes that freed. */
  removeAll(prefix: string): Promise<number>
  /** Keys below the prefix, sorted. */
  list(prefix: string): Promise<string[]>
  /**
   * All parts below the prefix. Those of one folder come one after the other, folders mostly in the order of their names
   * with a `/` at the end: not every service keeps to it. Read as it is gone through, some at a time; what is written or
   * removed meanwhile may be there or not.
   */
  parts(prefix: string): Promise<AsyncIterable<BlobPart>>
  /** Removes these and nothing else; those that are not there are no failure. */
  removeParts(parts: Pick<BlobPart, 'key' | 'offset'>[]): Promise<void>
  /** The installation the store belongs to, and its last start; null when not set yet. It is not a blob and has no key. */
  stamp(): Promise<StoreStamp | null>
  /** Durable (fsync) when it resolves. */
  setStamp(stamp: StoreStamp): Promise<void>
  ping(): Promise<void>
}
