/**
 * A report: what one delivery has to say, before it is put into the words of a mail, a chat or a webhook. It holds
 * everything that the messages need and nothing that they would have to look up, so they are pure functions of it.
 * Texts are as people wrote them: escaping is each message's own duty. All links are null where the server has no
 * public address.
 */
import type { InsightResult } from '../../../model/insights/insight-result.ts'
import type { ResourceType } from '../../../model/subscriptions/subscription.ts'

/**
 * Why it is sent. `scheduled`: an occurrence is due. `confirmation`: the subscription was just made. `invitation`: the
 * recipient was added to it. `test`: somebody asked to see it; worded like a scheduled one, and marked.
 */
type Occasion = 'scheduled' | 'confirmation' | 'invitation' | 'test'

export interface ReportTile {
  insightId: number
  /** Never empty: name, derived name or `Untitled insight`. */
  name: string
  description: string | null
  /** Of the insight itself. */
  link: string | null
  /** Null when it could not be computed; `error` then says why in words for the reader, without inner details. */
  result: InsightResult | null
  error: string | null
  /** Drawn at twice `PICTURE_WIDTH`; of a failed tile an error box. Null where no picture was asked for. */
  png: Buffer | null
}

/**
 * The width at which pictures are drawn; their pixels are twice as many. Between the width of a phone and that of a
 * mail: shown smaller on the one the letters can still be read, shown larger on the other they are not yet coarse.
 */
export const PICTURE_WIDTH = 420

export interface Report {
  occasion: Occasion
  /** Of the delivery, the same for every attempt. */
  deliveryId: string
  /** The occurrence it stands for; null for anything that is not scheduled. */
  scheduledAt: number | null
  /** It should have left earlier: the server was not running when it was due. */
  isLate: boolean
  subscription: {
    id: number
    title: string | null
    /** `sent every 2 weeks`. */
    summary: string
    /** Null when no date is left. */
    nextDeliveryDate: number | null
    /** IANA name; dates are told on its wall clock. */
    timezone: string
    /** Said in confirmations and invitations only. */
    inviteMessage: string | null
    /** Where it is managed. */
    link: string | null
  }
  /** Who made the subscription. */
  creator: { firstName: string; email: string }
  /** `dashboard` also for the default one; `name` is never empty. */
  resource: { kind: ResourceType; id: number; name: string; link: string | null }
  /** The first ones (rules/insights/dashboard-tiles.ts); one for an insight, none when the dashboard is empty. */
  tiles: ReportTile[]
  /** How many the dashboard has, those that were cut included. */
  tileCount: number
}

/** To whom one mail goes; chats and webhooks have no such thing. */
export interface MailRecipient {
  address: string
  /** Whether the address is the creator's own. */
  isCreator: boolean
  /** Null without a public address; the mail then says who can take it off. */
  unsubscribeLink: string | null
}
