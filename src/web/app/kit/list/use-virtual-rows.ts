/**
 * Which rows of a long list are drawn: those in sight and some around them. The list scrolls with the part of the page it
 * is in, below whatever stands above it there.
 */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Browsers cannot scroll much further; they agree up to here. */
const MOST_PIXELS = 15_000_000
/** Above and below what is in sight. */
const AROUND = 5

interface VirtualRowsOptions {
  count: number
  /** In rem. Exact, unless rows are measured. */
  rowHeight: number
  keyOf?: ((index: number) => string | number) | undefined
}

interface Surroundings {
  scroller: HTMLElement | null
  /** From the top of what scrolls to the list. */
  above: number
}

function scrollerOf(element: HTMLElement): HTMLElement {
  const parent = element.parentElement
  if (!parent) return document.documentElement
  return /auto|scroll/.test(getComputedStyle(parent).overflowY) ? parent : scrollerOf(parent)
}

const topWithin = (list: HTMLElement, scroller: HTMLElement): number =>
  list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop

/** Found when the list is there, and again whenever what is around it has another size. */
function useSurroundings(list: RefObject<HTMLElement | null>): Surroundings {
  const [found, setFound] = useState<Surroundings>({ scroller: null, above: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const scroller = scrollerOf(element)
    const look = () => {
      const above = Math.round(topWithin(element, scroller))
      setFound((now) => (now.scroller === scroller && now.above === above ? now : { scroller, above }))
    }
    look()
    const observer = new ResizeObserver(look)
    for (const inside of scroller.children) observer.observe(inside)
    return () => observer.disconnect()
  }, [list])
  return found
}

export interface VirtualRows {
  virtualizer: Virtualizer<HTMLElement, HTMLElement>
  /** Fewer than `count` where no browser could scroll through all. */
  shown: number
  above: number
  scroller: HTMLElement | null
  /** Of a row that is not measured, in whole pixels. */
  height: number
}

export function useVirtualRows(list: RefObject<HTMLElement | null>, options: VirtualRowsOptions): VirtualRows {
  const { count, rowHeight, keyOf } = options
  const { scroller, above } = useSurroundings(list)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const height = Math.round(rowHeight * rem)
  const shown = Math.min(count, Math.floor(MOST_PIXELS / height))
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: shown,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    overscan: AROUND,
    scrollMargin: above,
    ...(keyOf ? { getItemKey: keyOf } : {}),
  })
  const drawn = useRef(height)
  useLayoutEffect(() => {
    if (drawn.current === height) return
    drawn.current = height
    // Rows became cards, or cards rows: the first one in sight stays that.
    const first = virtualizer.range?.startIndex ?? 0
    virtualizer.measure()
    if (first > 0) virtualizer.scrollToIndex(first, { align: 'start' })
  }, [virtualizer, height])
  return { virtualizer, shown, above, scroller, height }
}
