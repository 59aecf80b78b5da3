/** The operations that the app uses, as the API docs name them: each with the part of the docs that it stands in. */
import type { paths } from '../schema.d.ts'

const OPERATIONS: readonly (readonly [path: keyof paths, tag: string])[] = [
  ['/api/environments/{project_id}/', 'projects'],
  ['/api/environments/{project_id}/reset_token/', 'projects'],
  ['/api/environments/{project_id}/usage/', 'projects'],
  ['/api/environments/{project_id}/events/', 'events'],
  ['/api/environments/{project_id}/ingestion_warnings/', 'events'],
  ['/api/personal_api_keys/', 'personal_api_keys'],
  ['/api/personal_api_keys/{id}/', 'personal_api_keys'],
  ['/api/personal_api_keys/{id}/roll/', 'personal_api_keys'],
  ['/api/users/@me/', 'users'],
  ['/api/users/@me/login_sessions/', 'sign_in'],
  ['/api/users/@me/login_sessions/revoke_others/', 'sign_in'],
  ['/api/users/@me/login_sessions/{id}/', 'sign_in'],
]

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** What stands behind `#` in the address of the docs; empty for what is not in the list. `path`: of the server. */
export function docsHash(method: string, path: string): string {
  const found = OPERATIONS.find(([known]) => patternOf(known).test(path))
  return found ? `#tag/${found[1]}/${method}${found[0]}` : ''
}
