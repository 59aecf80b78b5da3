/**
 * `$channel_type` of a session as SQL: which of the fixed channels the first event's campaign, referrer and click ids
 * indicate. The rules are PostHog's, first match wins; the lists of sites are ours and short: the ones most traffic
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

function siteKind(column: string): string {
  const branches = Object.entries(SITES).map(([kind, { names, hosts = [] }]) => {
    const known = [`(?:${names.join('|')})(?:\\.[a-z]{2,6}){0,2}`, ...hosts.map((host) => host.replaceAll('.', '\\.'))]
    return `WHEN regexp_matches(${column}, '^(?:.+\\.)?(?:${known.join('|')})$') THEN '${kind}'`
  })
  return `CASE ${branches.join(' ')} END`
}

function mediumKind(column: string): string {
  const branches = Object.entries(MEDIUMS).map(([kind, texts]) => `WHEN ${column} IN (${quoted(texts)}) THEN '${kind}'`)
  return `CASE ${branches.join(' ')} END`
}

const paid = (kind: string) => `CASE WHEN ${kind} IN (${quoted(PAID_OR_ORGANIC)}) THEN 'Paid ' || ${kind} END`

const organic = (kind: string) =>
  `CASE WHEN ${kind} IN (${quoted(PAID_OR_ORGANIC)}) THEN 'Organic ' ELSE '' END || ${kind}`

/** An eshop, a shop, shopping; not a workshop. */
const IS_SHOPPING = `regexp_matches(campaign, 'shopping|(?:^|[^a-z]|e)shop')`
const IS_VIDEO = `contains(campaign, 'video')`
const IS_PAID = `medium IN ('cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting') OR starts_with(medium, 'paid')
  OR gclid IS NOT NULL OR gad_source IS NOT NULL`
const IS_DIRECT = `referrer = '$direct' AND medium IS NULL AND fbclid IS NULL
  AND (source IS NULL OR source IN ('direct', '(direct)', '$direct'))`

/**
 * SQL from a table with the columns `session_id` and, null where absent, `source`, `medium`, `campaign` (these
 * in lower case), `referrer`, `gclid`, `gad_source`, `fbclid`; gives `session_id` and `channel_type`.
 */
export const channelTypes = (table: string): string => `
  SELECT session_id, CASE
    WHEN contains(campaign, 'cross-network') THEN 'Cross Network'
    WHEN ${IS_PAID} THEN coalesce(
      ${paid('source_kind')}, CASE WHEN ${IS_SHOPPING} THEN 'Paid Shopping' END,
      ${paid('medium_kind')}, ${paid('referrer_kind')},
      CASE WHEN gad_source = '1' THEN 'Paid Search' WHEN ${IS_VIDEO} THEN 'Paid Video'
        WHEN fbclid IS NOT NULL THEN 'Paid Social' ELSE 'Paid Unknown' END)
    WHEN ${IS_DIRECT} THEN 'Direct'
    ELSE coalesce(
      ${organic('source_kind')}, CASE WHEN ${IS_SHOPPING} THEN 'Organic Shopping' END,
      ${organic('medium_kind')}, ${organic('referrer_kind')},
      CASE WHEN ${IS_VIDEO} THEN 'Organic Video' WHEN ends_with(medium, 'push') THEN 'Push'
        WHEN fbclid IS NOT NULL THEN 'Organic Social' WHEN referrer = '$direct' THEN 'Direct'
        WHEN referrer IS NOT NULL THEN 'Referral' ELSE 'Unknown' END)
    END AS channel_type
  FROM (SELECT *, ${siteKind('source')} AS source_kind, ${mediumKind('medium')} AS medium_kind,
    ${siteKind('lower(referrer)')} AS referrer_kind FROM ${table})`
