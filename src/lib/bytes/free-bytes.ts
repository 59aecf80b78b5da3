/**
 * Gives the memory of a buffer back at once. The collector would do so too, but late: it counts objects, and a few of
 * them may hold many megabytes. The buffer and every view of its memory are empty afterwards, so only its owner may
 * do this, when no other code and no thread of the system is at work on it.
 */
import { MessageChannel } from 'node:worker_threads'

/** Smaller ones may share their memory with others, and are not worth the effort. */
const LARGE = 64 * 1024

/** A port without another end: what is sent through it is gone. */
const { port1: nowhere, port2 } = new MessageChannel()
port2.close()
nowhere.unref()

export function freeBytes({ buffer, length }: Buffer): void {
  if (length >= LARGE) nowhere.postMessage(null, [buffer as ArrayBuffer])
}
