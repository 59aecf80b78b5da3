/** The newest event of the project, as soon as it is stored: told by the server where it can, else asked for. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followEvents } from '../../data/events/event-stream.ts'
import { latestEventQuery, warningsQuery } from '../../data/events.ts'

const POLL_MS = 2_000

/** `enabled`: whether one may read events. */
export function useFirstEvent(projectId: number, enabled: boolean) {
  const [isLive, setLive] = useState(true)
  const refetchInterval = isLive ? false : POLL_MS
  const latest = useQuery({ ...latestEventQuery(projectId), refetchInterval, enabled })
  const warnings = useQuery({ ...warningsQuery(projectId), refetchInterval: POLL_MS * 5 })
  const { refetch } = latest
  useEffect(() => {
    if (!enabled) return
    return followEvents(
      projectId,
      () => void refetch(),
      () => setLive(false),
    )
  }, [projectId, refetch, enabled])
  return { latest, warnings }
}
