/** Whether the window is as narrow as a phone's, where rows are cards. */
import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 40rem)'

function subscribe(changed: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
