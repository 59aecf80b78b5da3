/** What is being changed of something that is stored, until it is saved or given up. */
import { useState } from 'react'

export interface Draft<T extends object> {
  /** What is stored, with the changes. */
  value: T
  /** The changes alone; empty when there are none. */
  changes: Partial<T>
  isChanged: boolean
  set: (patch: Partial<T>) => void
  reset: () => void
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export function useDraft<T extends object>(stored: T): Draft<T> {
  const [patch, setPatch] = useState<Partial<T>>({})
  const changed = Object.entries(patch).filter(([name, value]) => !isSame(stored[name as keyof T], value))
  return {
    value: { ...stored, ...patch },
    changes: Object.fromEntries(changed) as Partial<T>,
    isChanged: changed.length > 0,
    set: (more) => setPatch((now) => ({ ...now, ...more })),
    reset: () => setPatch({}),
  }
}
