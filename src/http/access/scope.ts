/** Scopes of keys: `<object>:read`, `<object>:write`, or `*`. Write implies read. */
import { denied } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Scope } from '../route.ts'

/** The objects a scope may name; others are refused when a key is created. */
const SCOPE_OBJECTS = [
  'action',
  'activity_log',
  'annotation',
  'batch_export',
  'cohort',
  'dashboard',
  'dashboard_template',
  'early_access_feature',
  'event_definition',
  'experiment',
  'export',
  'feature_flag',
  'group',
  'insight',
  'notebook',
  'organization',
  'organization_member',
  'person',
  'plugin',
  'project',
  'property_definition',
  'query',
  'session_recording',
  'session_recording_playlist',
  'sharing_configuration',
  'subscription',
  'survey',
  'user',
  'webhook',
] as const

/** Each scope but `*`. */
export const EVERY_SCOPE = SCOPE_OBJECTS.flatMap((object) => [`${object}:read`, `${object}:write`])

export const isKnownScope = (scope: string): boolean => {
  if (scope === '*') return true
  const [object, action, ...rest] = scope.split(':')
  return rest.length === 0 && SCOPE_OBJECTS.includes(object as never) && (action === 'read' || action === 'write')
}

/** Whether `granted` satisfies the one scope `needed`. */
export function grants(granted: string[], needed: string): boolean {
  if (granted.includes('*') || granted.includes(needed)) return true
  return needed.endsWith(':read') && granted.includes(`${needed.slice(0, -':read'.length)}:write`)
}

/** The scopes of which a route needs any one; null when it needs none. */
export function scopesOf(scope: Scope): string[] | null {
  if (typeof scope === 'string') return [scope]
  return Array.isArray(scope) ? scope : null
}

export function checkScope(caller: Caller, scope: Scope): void {
  const anyOf = scopesOf(scope)
  if (anyOf === null || anyOf.some((needed) => grants(caller.credential.scopes, needed))) return
  throw denied(`API key missing required scope '${anyOf[0]}'`)
}
