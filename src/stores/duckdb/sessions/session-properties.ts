/**
 * The event properties that sessions are computed from are stored with each event of a session as one small JSON text, so
 * that no session query has to read whole events.
 */
import { SESSION_PROPERTIES } from '../../sessions/session-properties.ts'
import { MAX_TEXT } from '../values/long-texts.ts'

/** Text as it is, other values in their text form; null when there is nothing to keep. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** JSON of those of the event's properties that exist, are not empty, and are not too long together. */
export function sessionProperties(properties: Record<string, unknown>): string {
  let members = ''
  for (const name of SESSION_PROPERTIES) {
    const text = textOf(properties[name])
    if (text === null) continue
    const member = `${members === '' ? '' : ','}"${name}":${JSON.stringify(text)}`
    if (members.length + member.length < MAX_TEXT) members += member
  }
  return `{${members}}`
}
