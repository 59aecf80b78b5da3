/**
 * `$channel_type` of a session as SQL of every engine: which of the fixed channels the first event's campaign, referrer
 * and click ids indicate. The rules are PostHog's, first match wins; the lists of sites are ours and short: the ones most traffic
 * comes from. A site is recognized by its name under any top-level domain, or by its host.
 */

interface Sites {
  /** Recognized as a bare word and as a domain: `google`, `google.com`, `www.google.co.uk`. */
  names: string[]
  /** Recognized only as this host or a subdomain of it. */
  hosts?: string[]
}

/** Checked in this order: webmail first, because it uses the domains of search engines. */
const SITES: Record<string, Sites> = {
  Email: {
    names: ['gmail', 'outlook', 'hotmail', 'protonmail', 'mailchimp', 'klaviyo'],
    hosts: ['mail.google.com', 'mail.yahoo.com', 'mail.aol.com', 'mail.proton.me', 'e.mail.ru', 'email', 'newsletter'],
  },
  Shopping: {
    names: [
      'amazon',
      'ebay',
      'etsy',
      'aliexpress',
      'alibaba',
      'walmart',
      'rakuten',
      'mercadolibre',
      'flipkart',
      'temu',
    ],
    hosts: ['shopping.google.com', 'shopping.yahoo.com', 'shop.app'],
  },
  Video: {
    names: ['youtube', 'vimeo', 'twitch', 'dailymotion', 'bilibili', 'netflix', 'hulu', 'rumble'],
    hosts: ['youtu.be'],
  },
  Social: {
    names: [
      'facebook instagram linkedin reddit pinterest tiktok threads tumblr quora discord snapchat weibo',
      'mastodon bluesky telegram whatsapp messenger twitter slack odnoklassniki nextdoor',
    ].flatMap((line) => line.split(' ')),
    hosts: [
      'fb',
      'fb.me',
      'ig',
      'x.com',
      't.co',
      't.me',
      'lnkd.in',
      'vk.com',
      'bsky.app',
      'redd.it',
      'news.ycombinator.com',
    ],
  },
  Search: {
    names: 'google bing yahoo duckduckgo baidu yandex ecosia qwant startpage naver seznam sogou kagi mojeek'.split(' '),
    hosts: ['search.brave.com', 'ask.com', 'search.aol.com', 'so.com', 'ya.ru', 'presearch.com', 'swisscows.com'],
  },
  SMS: { names: ['sms'] },
}

/** Values of `utm_medium` that name the channel directly. */
const MEDIUMS: Record<string, string[]> = {
  Email: ['email', 'e-mail', 'e_mail', 'e mail', 'newsletter'],
  Social: ['social', 'social-network', 'social-media', 'social network', 'social media', 'sm'],
  Video: ['video'],
  Audio: ['audio', 'podcast'],
  SMS: ['sms'],
  Push: ['push', 'mobile', 'notification'],
  Affiliate: ['affiliate', 'affiliates', 'partnership', 'partnerships'],
  Referral: ['referral', 'link', 'app'],
}

/** Kinds that exist as paid and organic channels; the others are channels by themselves. */
const PAID_OR_ORGANIC = ['Search', 'Social', 'Video', 'Shopping']

const quoted = (texts: string[]) => texts.map((text) => `'${text}'`).join(', ')

/** SQL of whether a text contains what the pattern of RE2 describes; the pattern has no quotes. */
export type Matches = (text: string, pattern: string) => string

function siteKind(column: string, matches: Matches): string {
  const branches = Object.entries(SITES).map(([kind, { names, hosts = [] }]) => {
    const known = [`(?:${names.join('|')})(?:\\.[a-z]{2,6}){0,2}`, ...hosts.map((host) => host.replaceAll('.', '\\.'))]
    return `WHEN ${matches(column, `^(?:.+\\.)?(?:${known.join('|')})$`)} THEN '${kind}'`
  })
  return `CASE ${branches.join(' ')} ELSE '' END`
}

function mediumKind(column: string): string {
  const branches = Object.entries(MEDIUMS).map(([kind, texts]) => `WHEN ${column} IN (${quoted(texts)}) THEN '${kind}'`)
  return `CASE ${branches.join(' ')} ELSE '' END`
}

const isBoth = (kind: string) => `${kind} IN (${quoted(PAID_OR_ORGANIC)})`

/** SQL of a paid channel, where there is a paid one of the kind. */
const whenPaid = (kind: string) => `WHEN ${isBoth(kind)} THEN concat('Paid ', ${kind})`

const whenOrganic = (kind: string) =>
  `WHEN ${isBoth(kind)} THEN concat('Organic ', ${kind}) WHEN ${kind} <> '' THEN ${kind}`

const IS_DIRECT = `referrer = '$direct' AND medium = '' AND fbclid = '' AND source IN ('', 'direct', '(direct)', '$direct')`

/**
 * SQL of what the channel is found by, as columns of a table with `source`, `medium`, `campaign`, `referrer` (these in
 * lower case), `gclid`, `gad_source`, `fbclid`; each is empty where there is none.
 */
export const channelKinds = (matches: Matches): string =>
  `${siteKind('source', matches)} AS source_kind, ${mediumKind('medium')} AS medium_kind,
    ${siteKind('referrer', matches)} AS referrer_kind`

/** SQL of the channel over a row of such a table with the columns of `channelKinds`. */
export function channelSql(matches: Matches): string {
  // An eshop, a shop, shopping; not a workshop.
  const isShopping = matches('campaign', 'shopping|(?:^|[^a-z]|e)shop')
  const isVideo = matches('campaign', 'video')
  const isPaid = `medium IN ('cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting') OR ${matches('medium', '^paid')}
    OR gclid <> '' OR gad_source <> ''`
  return `CASE
    WHEN ${matches('campaign', 'cross-network')} THEN 'Cross Network'
    WHEN ${isPaid} THEN CASE
      ${whenPaid('source_kind')} WHEN ${isShopping} THEN 'Paid Shopping'
      ${whenPaid('medium_kind')} ${whenPaid('referrer_kind')}
      WHEN gad_source = '1' THEN 'Paid Search' WHEN ${isVideo} THEN 'Paid Video'
      WHEN fbclid <> '' THEN 'Paid Social' ELSE 'Paid Unknown' END
    WHEN ${IS_DIRECT} THEN 'Direct'
    ELSE CASE
      ${whenOrganic('source_kind')} WHEN ${isShopping} THEN 'Organic Shopping'
      ${whenOrganic('medium_kind')} ${whenOrganic('referrer_kind')}
      WHEN ${isVideo} THEN 'Organic Video' WHEN ${matches('medium', 'push$')} THEN 'Push'
      WHEN fbclid <> '' THEN 'Organic Social' WHEN referrer = '$direct' THEN 'Direct'
      WHEN referrer <> '' THEN 'Referral' ELSE 'Unknown' END
    END`
}
