/** Display settings of a shared recording: known keys are kept; others, and nulls, are dropped. */
import { invalid } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { ShareSettings } from '../../model/recordings/sharing.ts'

const FLAGS = [
  'whitelabel',
  'noHeader',
  'showInspector',
  'legend',
  'detailed',
  'hideExtraDetails',
  'loadRemote',
] as const
const THEMES = ['light', 'dark', 'system']

const known = (key: string): boolean => key === 'theme' || FLAGS.includes(key as never)
const fits = (key: string, value: unknown): boolean =>
  key === 'theme' ? THEMES.includes(value as string) : typeof value === 'boolean'

export function readShareSettings(value: unknown): ShareSettings | null {
  if (value === null) return null
  if (!isJsonObject(value)) throw invalid('Invalid settings format', 'settings')
  const entries = Object.entries(value).filter(([key, item]) => known(key) && item !== null)
  const wrong = entries.find(([key, item]) => !fits(key, item))
  if (wrong) throw invalid(`Invalid settings format: ${wrong[0]}`, 'settings')
  return Object.fromEntries(entries)
}
