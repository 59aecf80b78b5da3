/** Steps of the event loop: to make two calls exactly this far apart, and to find what would wait forever. */

/** Lets `count` microtasks pass. */
export async function ticks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await null
}

/** More than anything in memory needs. */
const TURNS = 500

/** The result of the promise; rejects when the event loop has turned this often without it. For work in memory only. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false
  const done = promise.finally(() => {
    isSettled = true
  })
  done.catch(() => {})
  for (let turn = 0; turn < TURNS && !isSettled; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  if (!isSettled) throw new Error('It waits for ever.')
  return done
}
