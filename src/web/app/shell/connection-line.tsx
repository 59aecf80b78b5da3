/** A line above everything when the server is away, busy or slow, or has another version of the app. */
import { useEffect, useState } from 'react'
import { connection, note } from '../data/requests/connection.ts'
import { lookForServer, refreshAll } from '../data/server-state.ts'
import { useStore } from '../data/store.ts'
import { Button } from '../kit/form/button.tsx'
import styles from './connection-line.module.css'

const LOOK_MS = 3_000
const VERSION_MS = 60_000

/** While the server is away it is looked for; when the window is shown again, for another version. */
function useLooking(offline: boolean): void {
  useEffect(() => {
    // What the browser says of the network is not asked: a server on this machine is there without one.
    const look = async () => {
      if (!(await lookForServer())) note({ offline: true })
    }
    const back = () => void look()
    window.addEventListener('offline', back)
    window.addEventListener('online', back)
    // A part of a screen that is no longer there was one of an earlier build.
    window.addEventListener('vite:preloadError', back)
    let last = Date.now()
    const shown = () => {
      if (document.hidden || Date.now() - last < VERSION_MS) return
      last = Date.now()
      back()
    }
    document.addEventListener('visibilitychange', shown)
    return () => {
      window.removeEventListener('offline', back)
      window.removeEventListener('online', back)
      window.removeEventListener('vite:preloadError', back)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [])
  useEffect(() => {
    if (!offline) return
    const timer = setInterval(async () => {
      if (await lookForServer()) await refreshAll()
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [offline])
}

function useSecondsUntil(at: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (at === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [at])
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1_000))
}

export function ConnectionLine() {
  const { offline, slow, retryAt, outdated } = useStore(connection)
  useLooking(offline)
  const seconds = useSecondsUntil(retryAt)
  const words = offline
    ? 'The server cannot be reached. Trying again…'
    : retryAt !== null
      ? `The server is busy. Asking again in ${seconds} s.`
      : slow > 0
        ? 'This takes longer than usual…'
        : null
  return (
    <div aria-live="polite">
      {words !== null && <p className={styles.line}>{words}</p>}
      {outdated && (
        <p className={styles.line}>
          <span>There is a new version of Hedgerow.</span>{' '}
          <Button small onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      )}
    </div>
  )
}
