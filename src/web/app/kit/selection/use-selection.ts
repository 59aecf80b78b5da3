/** Which rows of a list are chosen: one by one, or with Shift all between two. */
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTell } from '../overlay/toasts.tsx'

/** Names, by id. */
export type Chosen = ReadonlyMap<string, string>

export interface Choosable {
  id: string
  name: string
}

export interface Selection {
  chosen: Chosen
  toggle: (index: number, isRange: boolean) => void
  clear: () => void
}

const NONE: Chosen = new Map()

interface SelectionOptions<Row> {
  rowAt: (index: number) => Row | undefined
  /** As what a row is chosen. */
  of: (row: Row) => Choosable
  /** Reads what is not there yet; where there is none, all rows are there. */
  read?: (first: number, last: number) => Promise<Row[]>
}

/** With more, nothing is done at once. */
const LONGEST_RANGE = 1_000

export function useSelection<Row>(options: SelectionOptions<Row>): Selection {
  const [chosen, setChosen] = useState(NONE)
  const tell = useTell()
  const last = useRef<number | null>(null)
  const now = useRef({ ...options, tell })
  now.current = { ...options, tell }
  const choose = useCallback((rows: Row[], isAdding: boolean) => {
    const found = rows.map(now.current.of)
    setChosen((before) => {
      const isTaken = !isAdding && found.every(({ id }) => before.has(id))
      const next = new Map(before)
      for (const { id, name } of found) {
        if (isTaken) next.delete(id)
        else next.set(id, name)
      }
      return next
    })
  }, [])
  const toggle = useCallback(
    (index: number, isRange: boolean) => {
      const from = isRange ? (last.current ?? index) : index
      last.current = index
      const [low, high] = [Math.min(from, index), Math.max(from, index)]
      const { rowAt, read, tell } = now.current
      if (high - low >= LONGEST_RANGE) return tell('At most 1,000 rows are chosen at once')
      const between = Array.from({ length: high - low + 1 }, (_, place) => rowAt(low + place))
      const found = between.filter((row) => row !== undefined)
      if (found.length === between.length || !read || !isRange) return choose(found, isRange)
      read(low, high).then(
        (rows) => choose(rows, true),
        () => tell('Not all of these rows could be read: none is chosen'),
      )
    },
    [choose],
  )
  const clear = useCallback(() => setChosen(NONE), [])
  return useMemo(() => ({ chosen, toggle, clear }), [chosen, toggle, clear])
}
