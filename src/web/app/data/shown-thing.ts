/** The name of the one thing that a screen is about, which the frame has as its title. */
import { useEffect } from 'react'
import { createStore } from './store.ts'

export const shownThing = createStore<string | null>(null)

export function useShownThing(name: string | undefined): void {
  useEffect(() => {
    shownThing.set(() => name ?? null)
    return () => shownThing.set(() => null)
  }, [name])
}
