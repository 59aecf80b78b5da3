/**
 * Going from row to row of a list by keys: what opens a row, which carries `data-row`, gets the focus, so that Enter opens
 * it and a screen reader reads it out. One way for all lists, those of which only the rows in sight are in the page too.
 */
import { type RefObject, useEffect, useRef } from 'react'
import type { ListHandle } from './list-table.tsx'

export interface RowFocus {
  /** The row with the focus; if there is none, the one that had it last; -1 before any. */
  here: () => number
  move: (by: number) => void
}

const TYPED_IN = 'input:not([type="checkbox"]), textarea, select'

/** Below the head of the list and above what floats at the end of the page. */
function goTo(target: HTMLElement): void {
  target.closest('tr, li')?.scrollIntoView({ block: 'nearest' })
  target.focus({ preventScroll: true })
}

/** `moved`: which row was gone to. */
export function useRowFocus(list: RefObject<ListHandle | null>, moved?: (index: number) => void): RowFocus {
  const current = useRef(-1)
  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  const here = (): number => {
    // On its way to a row that is not there yet, the focus is still elsewhere.
    const focused = frame.current === 0 ? list.current?.indexOf(document.activeElement) : undefined
    return focused ?? current.current
  }
  /** A row that was far away, or is not loaded, is there only some frames after it was scrolled to. */
  const wait = (index: number) => {
    const target = list.current?.targetOf(index)
    frame.current = 0
    if (target) goTo(target)
    else if (!document.activeElement?.matches(TYPED_IN)) frame.current = requestAnimationFrame(() => wait(index))
  }
  const move = (by: number) => {
    const count = list.current?.count() ?? 0
    if (count === 0) return
    const next = Math.min(Math.max(here() + by, 0), count - 1)
    current.current = next
    cancelAnimationFrame(frame.current)
    if (!list.current?.targetOf(next)) list.current?.scrollTo(next)
    wait(next)
    moved?.(next)
  }
  return { here, move }
}

/** `j` and `k` go to the next and the one before; where rows are chosen, `x` chooses, with Shift all in between. */
export const keysOfRows = ({ here, move }: RowFocus, toggle?: (index: number, isRange: boolean) => void) => ({
  j: () => move(1),
  k: () => move(-1),
  ...(toggle && {
    x: () => here() >= 0 && toggle(here(), false),
    X: () => here() >= 0 && toggle(here(), true),
  }),
})
