/** The properties of a session: a fixed list, in the order in which it is shown. */

import { CLICK_IDS, UTM_PARAMETERS } from '../../lib/campaign.ts'

type PropertyType = 'String' | 'Numeric' | 'DateTime' | 'Boolean' | 'Duration'

export interface SessionProperty {
  name: string
  type: PropertyType
}

const strings = (names: string[]): SessionProperty[] => names.map((name) => ({ name, type: 'String' }))
const numbers = (names: string[]): SessionProperty[] => names.map((name) => ({ name, type: 'Numeric' }))

const ENTRY = [...UTM_PARAMETERS, ...CLICK_IDS].map((parameter) => `$entry_${parameter}`)

export const SESSION_PROPERTIES: readonly SessionProperty[] = [
  { name: '$start_timestamp', type: 'DateTime' },
  { name: '$end_timestamp', type: 'DateTime' },
  ...strings(['$entry_current_url', '$entry_pathname', '$entry_hostname']),
  ...strings(['$end_current_url', '$end_pathname', '$end_hostname']),
  ...strings(['$entry_referring_domain', ...ENTRY]),
  ...numbers(['$pageview_count', '$autocapture_count', '$screen_count']),
  ...strings(['$channel_type']),
  { name: '$session_duration', type: 'Duration' },
  { name: '$is_bounce', type: 'Boolean' },
  ...strings(['$last_external_click_url']),
  ...numbers(['$vitals_lcp']),
]

/** All channels, in the order in which they are offered. */
export const CHANNELS: readonly string[] = [
  'Cross Network',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Paid Shopping',
  'Paid Unknown',
  'Direct',
  'Organic Search',
  'Organic Social',
  'Organic Video',
  'Organic Shopping',
  'Push',
  'SMS',
  'Audio',
  'Email',
  'Referral',
  'Affiliate',
  'Unknown',
]

export const isNumerical = ({ type }: SessionProperty): boolean => type === 'Numeric' || type === 'Duration'

/** Whether its values can be listed. */
export const isListable = ({ type }: SessionProperty): boolean => type === 'String' || type === 'Boolean'
