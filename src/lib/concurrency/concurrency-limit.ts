/** Limits how many tasks run at once; the others wait in order of arrival. */
export function limitConcurrency(count: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next waiting task takes over the slot, so that a new one cannot get in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
