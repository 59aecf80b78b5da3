/** A value that can be watched, for the few things that neither the server's answers nor the address hold. */
import { useSyncExternalStore } from 'react'

export interface Store<T> {
  get: () => T
  set: (change: (value: T) => T) => void
  subscribe: (changed: () => void) => () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(change) {
      const next = change(value)
      if (Object.is(next, value)) return
      value = next
      for (const changed of [...watchers]) changed()
    },
    subscribe(changed) {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
  }
}

export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get)
