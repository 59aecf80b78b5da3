/** Whoever opens a recording has seen it, and may take that back. */
import { useEffect, useRef, useState } from 'react'
import { useMarkViewed } from '../../data/recordings/change-recordings.ts'
import type { Recording } from '../../data/recordings/recordings.ts'
import { useProject } from '../../data/session.ts'

export interface Seen {
  isSeen: boolean
  onSeen: (isSeen: boolean) => void
}

export function useSeen({ id, viewed }: Recording): Seen {
  const { mutate } = useMarkViewed(useProject().id)
  const [isSeen, setSeen] = useState(true)
  const wasMarked = useRef(viewed)
  useEffect(() => {
    if (wasMarked.current) return
    wasMarked.current = true
    mutate({ id, viewed: true })
  }, [mutate, id])
  const onSeen = (wanted: boolean) => mutate({ id, viewed: wanted }, { onSuccess: () => setSeen(wanted) })
  return { isSeen, onSeen }
}
