/**
 * Processes items in groups, one group at a time per key: items that arrive while a group is in progress form the next
 * group, up to a weight. Different keys do not wait for each other. A group that fails is retried item by item, so that
 * no item fails because of another.
 */

export interface KeyedBatcherOptions<T, R> {
  /** Never called twice at once for the same key. `items` is not empty. */
  take: (items: T[]) => Promise<R>
  weigh: (item: T) => number
  /** At most this much in one group; a heavier item goes alone. */
  maxWeight: number
}

interface Waiting<T, R> {
  item: T
  resolve: (result: R) => void
  reject: (error: unknown) => void
}

export function createKeyedBatcher<T, R>({ take, weigh, maxWeight }: KeyedBatcherOptions<T, R>) {
  const queues = new Map<string, Waiting<T, R>[]>()

  const serve = async (group: Waiting<T, R>[]): Promise<void> => {
    try {
      const result = await take(group.map((waiting) => waiting.item))
      for (const waiting of group) waiting.resolve(result)
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const waiting of group) await serve([waiting])
    }
  }

  const nextGroup = (queue: Waiting<T, R>[]): Waiting<T, R>[] => {
    let weight = 0
    const beyond = queue.findIndex(({ item }, i) => {
      weight += weigh(item)
      return i > 0 && weight > maxWeight
    })
    return queue.splice(0, beyond < 0 ? queue.length : beyond)
  }

  const run = async (key: string, queue: Waiting<T, R>[]): Promise<void> => {
    while (queue.length > 0) await serve(nextGroup(queue))
    queues.delete(key)
  }

  return {
    /** Resolves with the result of the item's group. */
    add: (key: string, item: T): Promise<R> =>
      new Promise((resolve, reject) => {
        const waiting = { item, resolve, reject }
        const queue = queues.get(key)
        if (queue) {
          queue.push(waiting)
          return
        }
        const started = [waiting]
        queues.set(key, started)
        void run(key, started)
      }),
  }
}
