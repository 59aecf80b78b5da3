/** URL parameters that show where a visitor comes from: campaign parameters and the click ids of ad networks. */

export const UTM_PARAMETERS = ['utm_source', 'utm_campaign', 'utm_medium', 'utm_term', 'utm_content'] as const

export const CLICK_IDS = [
  'gclid',
  'gad_source',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'twclid',
  'li_fat_id',
  'mc_cid',
  'igshid',
  'ttclid',
  '_kx',
  'irclid',
] as const
