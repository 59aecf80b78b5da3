/** Where an event happened, in short: the path of its page, or the name of its screen. */

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Empty where the event does not say. */
export function pageOf(properties: Readonly<Record<string, unknown>>): string {
  const url = textOf(properties.$current_url)
  if (!URL.canParse(url)) return textOf(properties.$screen_name) || textOf(properties.$pathname) || url
  const { host, pathname } = new URL(url)
  return host + pathname
}
