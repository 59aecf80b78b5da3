/** How much still fits into one page of an answer (PAGE_BYTES), told by the JSON of what makes it large. */
import { PAGE_BYTES } from '../../model/page.ts'

/** Takes the next value: false when it does not fit any more. The first one always does. */
export function createPageSizeLimit(): (value: object) => boolean {
  const sizes = new Map<object, number>()
  let taken = 0
  return (value) => {
    const size = sizes.get(value) ?? Buffer.byteLength(JSON.stringify(value))
    sizes.set(value, size)
    const fits = taken === 0 || taken + size <= PAGE_BYTES
    if (fits) taken += size
    return fits
  }
}
