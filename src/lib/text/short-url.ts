/** An address where there is little room: the path, with what follows it; the host alone tells little in a list of one site. */
export function shortUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const { host, pathname, search, hash } = new URL(text)
  const rest = `${search}${hash}`
  return pathname === '/' ? `${host}/${rest}` : pathname + rest
}
