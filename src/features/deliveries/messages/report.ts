/**
 * A report: the content of one delivery, before it is formatted as a mail, a chat message or a webhook. It has
 * everything the messages need, so they are pure functions of it. Texts are as users wrote them: escaping is left to
 * each message. All links are null where the server has no public address.
 */
import type { InsightResult } from '../../../model/insights/insight-result.ts'
import type { ResourceType } from '../../../model/subscriptions/subscription.ts'
import type { PageLink } from '../report-links.ts'

/**
 * Why it is sent. `scheduled`: an occurrence is due. `confirmation`: the subscription was just created. `invitation`:
 * the recipient was added to it. `test`: a user requested it; worded like a scheduled one, and marked.
 */
type Occasion = 'scheduled' | 'confirmation' | 'invitation' | 'test'

export interface ReportTile {
  insightId: number
  /** Never empty: name, derived name or `Untitled insight`. */
  name: string
  description: string | null
  /** To the insight itself. */
  link: string | null
  /** Null when it could not be computed; `error` then has the reason for the reader, without internal details. */
  result: InsightResult | null
  error: string | null
  /** Drawn at twice `PICTURE_WIDTH`; an error box for a failed tile. Null where no picture was requested. */
  png: Buffer | null
}

/**
 * The width at which pictures are drawn; they have twice as many pixels. Between the width of a phone and that of a
 * mail: scaled down on a phone the text is still legible, scaled up in a mail it is still sharp enough.
 */
export const PICTURE_WIDTH = 420

export interface Report {
  occasion: Occasion
  /** Of the delivery, the same for every attempt. */
  deliveryId: string
  /** The occurrence it is for; null for anything that is not scheduled. */
  scheduledAt: number | null
  /** It should have been sent earlier: the server was not running when it was due. */
  isLate: boolean
  subscription: {
    id: number
    title: string | null
    /** `sent every 2 weeks`. */
    summary: string
    /** Null when no date is left. */
    nextDeliveryDate: number | null
    /** IANA name; dates are shown in its local time. */
    timezone: string
    /** Shown in confirmations and invitations only. */
    inviteMessage: string | null
    /** Where it is managed. */
    link: string | null
  }
  /** Who created the subscription. */
  creator: { firstName: string; email: string }
  /** `dashboard` also for the default one; `name` is never empty. */
  resource: { kind: ResourceType; id: number; name: string; link: string | null }
  /** The first tiles (rules/insights/dashboard-tiles.ts); one for an insight, none when the dashboard is empty. */
  tiles: ReportTile[]
  /** How many the dashboard has, including those left out. */
  tileCount: number
  /** Of the web app, for people. */
  pages: PageLink[]
}

/** The recipient of one mail; chats and webhooks have none. */
export interface MailRecipient {
  address: string
  /** Whether the address is the creator's own. */
  isCreator: boolean
  /** Null without a public address; the mail then says who can remove the address. */
  unsubscribeLink: string | null
}
