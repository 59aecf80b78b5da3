/** A list all of whose rows are in the page, as keys go through it: those that open nothing are passed over. */
import type { ListHandle } from './list-table.tsx'

const TARGET = '[data-row]'

/** `rows`: what has them as its children. */
export function wholeList(rows: () => HTMLElement | null): ListHandle {
  const targets = () => [...(rows()?.children ?? [])].flatMap((row) => row.querySelector<HTMLElement>(TARGET) ?? [])
  return {
    count: () => targets().length,
    targetOf: (index) => targets()[index],
    indexOf: (element) => {
      const row = element?.closest('tr, li')
      const index = targets().findIndex((target) => row?.contains(target))
      return index < 0 ? undefined : index
    },
    scrollTo: (index) => targets()[index]?.scrollIntoView({ block: 'nearest' }),
  }
}
