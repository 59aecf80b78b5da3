/** The cookies of a request. The first one of a name counts: browsers send the one with the longest path first. */
export function readCookies(header: string | undefined): Record<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
  })
  return Object.fromEntries(pairs.reverse())
}
