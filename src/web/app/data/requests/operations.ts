/** The operations that the app uses, as the API docs name them: each with the part of the docs that it stands in. */
import type { paths } from '../schema.d.ts'

const OPERATIONS: readonly (readonly [path: keyof paths, tag: string])[] = [
  ['/api/environments/{project_id}/', 'projects'],
  ['/api/environments/{project_id}/reset_token/', 'projects'],
  ['/api/environments/{project_id}/usage/', 'projects'],
  ['/api/environments/{project_id}/event_definitions/', 'definitions'],
  ['/api/environments/{project_id}/events/', 'events'],
  ['/api/environments/{project_id}/events/live/', 'events'],
  ['/api/environments/{project_id}/events/values/', 'events'],
  ['/api/environments/{project_id}/events/{id}/', 'events'],
  ['/api/environments/{project_id}/property_definitions/', 'definitions'],
  ['/api/environments/{project_id}/ingestion_warnings/', 'events'],
  ['/api/environments/{project_id}/activity_log/', 'activity_log'],
  ['/api/environments/{project_id}/activity_log/{id}/undo/', 'activity_log'],
  ['/api/environments/{project_id}/persons/', 'persons'],
  ['/api/environments/{project_id}/persons/bulk_delete/', 'persons'],
  ['/api/environments/{project_id}/persons/deletion_status/', 'persons'],
  ['/api/environments/{project_id}/persons/deletion_summary/', 'persons'],
  ['/api/environments/{project_id}/persons/properties_at_time/', 'persons'],
  ['/api/environments/{project_id}/persons/values/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/activity/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/counts/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/delete_events/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/delete_property/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/merge/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/properties_timeline/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/split/', 'persons'],
  ['/api/environments/{project_id}/persons/{id}/update_property/', 'persons'],
  ['/api/environments/{project_id}/session_recordings/', 'session_recordings'],
  ['/api/environments/{project_id}/session_recordings/bulk_delete/', 'session_recordings'],
  ['/api/environments/{project_id}/session_recordings/bulk_viewed/', 'session_recordings'],
  ['/api/environments/{project_id}/session_recordings/{id}/', 'session_recordings'],
  ['/api/environments/{project_id}/session_recordings/{id}/snapshots/', 'session_recordings'],
  ['/api/environments/{project_id}/session_recordings/{recording_id}/sharing/', 'sharing'],
  ['/api/environments/{project_id}/session_recordings/{recording_id}/sharing/refresh/', 'sharing'],
  ['/api/environments/{project_id}/session_recordings/{recording_id}/sharing/passwords/', 'sharing'],
  ['/api/environments/{project_id}/session_recordings/{recording_id}/sharing/passwords/{password_id}/', 'sharing'],
  ['/api/environments/{project_id}/sessions/', 'sessions'],
  ['/api/environments/{project_id}/sessions/property_definitions/', 'sessions'],
  ['/api/environments/{project_id}/sessions/values/', 'sessions'],
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
