/**
 * When the row with the focus is scrolled out of sight it leaves the page, and browsers give the focus to nothing: then keys
 * would no longer scroll. What scrolls gets it.
 */
import { useLayoutEffect, useRef } from 'react'

/** For what has the rows as its children. */
export function useKeptFocus(scroller: HTMLElement | null) {
  const isInside = useRef(false)
  useLayoutEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return
    isInside.current = false
    scroller?.focus({ preventScroll: true })
  })
  return {
    onFocus: () => {
      isInside.current = true
    },
    onBlur: () => {
      isInside.current = false
    },
  }
}
