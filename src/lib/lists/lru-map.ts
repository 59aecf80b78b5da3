/** The `max` values set last, by name; beyond that the least recently set one is dropped. */
export function createLruMap<T>(max: number) {
  const kept = new Map<string, T>()
  return {
    /** Returns the value and removes it; null when there is none. */
    take(name: string): T | null {
      const value = kept.get(name) ?? null
      kept.delete(name)
      return value
    },
    set(name: string, value: T): void {
      kept.delete(name)
      kept.set(name, value)
      if (kept.size > max) kept.delete(kept.keys().next().value as string)
    },
  }
}

export type LruMap<T> = ReturnType<typeof createLruMap<T>>
