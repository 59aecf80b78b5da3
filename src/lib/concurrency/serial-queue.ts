/** Runs tasks one after the other, in the order of their arrival. The failure of one is its caller's alone. */

export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}

/** A queue for each key, kept only while it has work. Tasks of different keys do not wait for each other. */
export function createKeyedSerialQueue() {
  const queues = new Map<string, { inTurn: SerialQueue; open: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { inTurn: createSerialQueue(), open: 0 }
    queues.set(key, queue)
    queue.open += 1
    try {
      return await queue.inTurn(work)
    } finally {
      queue.open -= 1
      if (queue.open === 0) queues.delete(key)
    }
  }
}
