/** Places a panel that is fixed to the window below what it belongs to, or above where there is no room; always inside. */

const GAP = 6
const MARGIN = 8

export function placeBelow(panel: HTMLElement, owner: HTMLElement): void {
  const { left, right, top, bottom } = owner.getBoundingClientRect()
  const { width, height } = panel.getBoundingClientRect()
  const fitsBelow = bottom + GAP + height + MARGIN <= window.innerHeight
  const x = left + width + MARGIN <= window.innerWidth ? left : right - width
  panel.style.left = `${Math.max(MARGIN, x)}px`
  panel.style.top = `${fitsBelow ? bottom + GAP : Math.max(MARGIN, top - GAP - height)}px`
}
