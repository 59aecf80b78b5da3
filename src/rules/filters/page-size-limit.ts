/** Limits the size of a page (PAGE_BYTES), measured by the JSON of its large values. */
import { PAGE_BYTES } from '../../model/page.ts'

/** Adds the next value: false when it does not fit any more. The first one always fits. */
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
