/** Addresses at which the server writes what a screen shows as CSV: all of it, not only the page. */
import { base } from '../session.ts'

/** `path`: below the project. Parameters that are empty are left out. */
export function csvAddress(
  projectId: number,
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const url = new URL(`api/environments/${projectId}/${path}`, base)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  url.searchParams.set('format', 'csv')
  return url.href
}
