/** A number of bytes as people write it: `200000000`, `200MB`, `1.5 GB`, `512MiB`. Units of 1000, and with an `i` of 1024. */

const UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** Null when it is no size. Upper and lower case mean the same; a part of a byte is left out. */
export function parseByteSize(text: string): number | null {
  const [, digits = '', fraction = '', unit = ''] = /^(\d{1,15})(\.\d{1,6})? ?([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toLowerCase()]
  if (digits === '' || factor === undefined || (fraction !== '' && factor === 1)) return null
  const bytes = Math.floor(Number(digits + fraction) * factor)
  return Number.isSafeInteger(bytes) ? bytes : null
}

const STEPS = ['B', 'kB', 'MB', 'GB', 'TB']

/** For people: at most one decimal place, such as `1.5 GB`. */
export function formatByteSize(bytes: number): string {
  const step = Math.min(STEPS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1_000 ** step).toFixed(1))} ${STEPS[step]}`
}
