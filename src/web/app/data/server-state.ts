/** Looks whether the server is back, and whether it has another build of the app than the one that runs. */

import { queryClient } from './query-client.ts'
import { note } from './requests/connection.ts'
import { base, boot } from './session.ts'

/** True when the server answers. */
export async function lookForServer(): Promise<boolean> {
  try {
    const response = await fetch(new URL('static/app/build.json', base), { cache: 'no-store' })
    if (!response.ok) return false
    const { build } = (await response.json()) as { build: string | null }
    note({ offline: false, outdated: build !== null && boot.build !== '' && build !== boot.build })
    return true
  } catch {
    return false
  }
}

/** After it was away, everything may have changed. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries()
