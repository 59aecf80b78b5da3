/** Draws the recorded page as large as it fits into its place, and no larger than it was. */
import type { Replayer } from '@rrweb/replay'

export function fitPage(replayer: Replayer, target: HTMLElement): void {
  let page = { width: 0, height: 0 }
  const scale = () => {
    if (page.width === 0 || page.height === 0) return
    const factor = Math.min(target.clientWidth / page.width, target.clientHeight / page.height, 1)
    replayer.wrapper.style.transform = `scale(${factor}) translate(-50%, -50%)`
  }
  replayer.on('resize', (size) => {
    page = size as { width: number; height: number }
    scale()
  })
  new ResizeObserver(scale).observe(target)
}
