/** The title of the window: the screen, the project, the program. */
import { useEffect } from 'react'

export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined), 'Hedgerow'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
