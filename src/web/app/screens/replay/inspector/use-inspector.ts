/** The rows of the list beside the player, as the address narrows them. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { mayReadEvents } from '../../../data/events.ts'
import { sessionEventsQuery } from '../../../data/recordings/session-events.ts'
import type { Player } from '../../../data/recordings/use-player.ts'
import { useProject } from '../../../data/session.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { replaySearch } from '../replay.search.ts'
import { type InspectorRow, inspectorRows, narrowed } from './inspector-rows.ts'

export interface Inspected {
  rows: readonly InspectorRow[]
  /** Of the events of the session. */
  error: unknown
  onRetry: () => void
}

/** Every event of the session, page after page. */
function useSessionEvents(sessionId: string) {
  const project = useProject()
  const asked = useInfiniteQuery({ ...sessionEventsQuery(project.id, sessionId), enabled: mayReadEvents(project) })
  const { hasNextPage, isFetching, error, fetchNextPage } = asked
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [hasNextPage, isFetching, error, fetchNextPage])
  const events = useMemo(() => asked.data?.pages.flatMap(({ results }) => results) ?? [], [asked.data])
  return { events, asked }
}

export function useInspector({ entries }: Player, sessionId: string): Inspected {
  const [{ tab, only, f }] = useSearchState(replaySearch)
  const { events, asked } = useSessionEvents(sessionId)
  const all = useMemo(() => inspectorRows(events, entries), [events, entries])
  const rows = useMemo(() => narrowed(all, { tab, only, search: f }), [all, tab, only, f])
  return { rows, error: asked.error, onRetry: () => void asked.refetch() }
}
