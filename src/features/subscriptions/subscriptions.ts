/**
 * Creating, reading, changing and deleting subscriptions. Each change is one transaction that also writes the activity
 * entry and the messages it triggers; deleting only marks.
 */
import type { TSchema } from 'typebox'
import { collectProblems, refuseProblems } from '../../http/input/collect-problems.ts'
import type { Remember } from '../../http/route.ts'
import { notFound } from '../../lib/errors.ts'
import { randomBase62, readId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { User, UserReader } from '../../model/accounts/user.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import type { Schedule, Subscription } from '../../model/subscriptions/subscription.ts'
import { fieldChanges } from '../../rules/activity/field-changes.ts'
import { nextDelivery } from '../../rules/subscriptions/recurrence.ts'
import { readFilter, readOrder } from './list-query.ts'
import { change, note } from './subscription-change.ts'
import { type Editable, readSubscription } from './subscription-input.ts'
import { type SubscriptionView, viewSubscription } from './subscription-view.ts'
import { NewSubscriptionBody, type SubscriptionListQuery } from './subscriptions.schema.ts'

export interface SubscriptionsParts {
  stores: Pick<Stores, 'subscriptions' | 'users' | 'transaction'>
  clock: Clock
  /** Hosts that webhooks may use although they are not public. */
  webhookAllow: readonly string[]
  /** Adds the messages that a new or changed subscription triggers; `before` is null for a new one. */
  sendConfirmations: (tx: SqlWriters, before: Subscription | null, after: Subscription, now: number) => Promise<void>
  /** Why nothing can be sent to such a target at present. */
  problemOf: (subscription: Subscription) => string | null
}

const newSigningSecret = (): string => `whsec_${randomBase62(256)}`

function found<T>(subscription: T | null): T {
  if (subscription === null) throw notFound()
  return subscription
}

const scheduleOf = (of: Schedule) => ({
  frequency: of.frequency,
  interval: of.interval,
  byweekday: of.byweekday,
  bysetpos: of.bysetpos,
  count: of.count,
  startDate: of.startDate,
  untilDate: of.untilDate,
  timezone: of.timezone,
})

/**
 * A changed schedule and a restored or re-enabled subscription compute their next date again; other changes keep it.
 */
function dateAfter(before: Subscription, fields: Editable, isDisabled: boolean, now: number): number | null {
  const rescheduled = fieldChanges('', scheduleOf(before), scheduleOf(fields)).length > 0
  const restored = (before.deleted && !fields.deleted) || (before.disabledAt !== null && !isDisabled)
  return rescheduled || restored ? nextDelivery(fields, now) : before.nextDeliveryDate
}

type Pause = Pick<Subscription, 'disabledAt' | 'disabledReason'>

const RUNNING: Pause = { disabledAt: null, disabledReason: null }
const paused = (now: number): Pause => ({ disabledAt: now, disabledReason: 'It is paused.' })

/** A new target re-enables it, unless the body says otherwise. */
function pauseAfter(before: Subscription, fields: Editable, enabled: boolean | undefined, now: number): Pause {
  const isMoved = before.targetType !== fields.targetType || before.targetValue !== fields.targetValue
  if (enabled ?? (isMoved || before.disabledAt === null)) return RUNNING
  const { disabledAt, disabledReason } = before
  return disabledAt === null ? paused(now) : { disabledAt, disabledReason }
}

function secretAfter(before: Subscription, fields: Editable, rotate: boolean): string | null {
  if (fields.targetType !== 'webhook') return null
  return rotate || before.signingSecret === null ? newSigningSecret() : before.signingSecret
}

const lookups = (tx: SqlWriters, projectId: number) => ({
  hasDashboard: async (id: number) => (await tx.dashboards.find(projectId, id))?.deleted === false,
  hasInsight: async (id: number) => (await tx.insights.find(projectId, id))?.deleted === false,
})

/** The creators; removed users too. */
async function authorsOf(users: UserReader, subscriptions: Subscription[]): Promise<(of: Subscription) => User> {
  const found = await users.findMany([...new Set(subscriptions.map((item) => item.createdById))])
  const byId = new Map(found.map((user) => [user.id, user]))
  return ({ createdById }) => {
    const user = byId.get(createdById)
    if (!user) throw new Error(`The author ${createdById} of a subscription is missing.`)
    return user
  }
}

export function createSubscriptions(parts: SubscriptionsParts) {
  const { stores, clock, webhookAllow: allow, sendConfirmations, problemOf } = parts
  const view = (subscription: Subscription, author: User, secret: string | null = null): SubscriptionView =>
    viewSubscription(subscription, author, {
      secret,
      problem: subscription.disabledReason ?? problemOf(subscription),
    })
  return {
    async list(project: Project, query: SubscriptionListQuery, page: { limit: number; offset: number }) {
      const filter = readFilter(project.id, query)
      const { count, items } = await stores.subscriptions.list(filter, readOrder(query.ordering), page)
      const authorOf = await authorsOf(stores.users, items)
      return { count, results: items.map((item) => view(item, authorOf(item))) }
    },
    async retrieve(project: Project, id: string): Promise<SubscriptionView> {
      const subscription = found(await stores.subscriptions.find(project.id, readId(id)))
      const authorOf = await authorsOf(stores.users, [subscription])
      return view(subscription, authorOf(subscription))
    },
    create: (actor: Actor, body: unknown, remember: Remember): Promise<SubscriptionView> =>
      stores.transaction(async (tx) => {
        const now = clock.now()
        const { project, caller } = actor
        const judging = { schema: NewSubscriptionBody, current: null, allow, ...lookups(tx, project.id) }
        const { fields, enabled } = await readSubscription(body, judging)
        const signingSecret = fields.targetType === 'webhook' ? newSigningSecret() : null
        const made = await tx.subscriptions.create({
          ...fields,
          projectId: project.id,
          createdById: caller.user.id,
          createdAt: now,
          nextDeliveryDate: nextDelivery(fields, now),
          ...(enabled === false ? paused(now) : RUNNING),
          signingSecret,
        })
        await note(tx, caller, made, { activity: 'created', changes: null }, now)
        await sendConfirmations(tx, null, made, now)
        const answer = view(made, caller.user, signingSecret)
        await remember(tx, answer)
        return answer
      }),
    /** `schema` says which fields are required; missing ones keep their value. */
    update: (actor: Actor, id: string, body: unknown, schema: TSchema): Promise<SubscriptionView> =>
      stores.transaction(async (tx) => {
        const now = clock.now()
        const before = await tx.subscriptions.find(actor.project.id, readId(id))
        // A body that is invalid for any subscription is reported before the subscription is found missing.
        if (!before) refuseProblems(schema, collectProblems(schema, body).problems)
        if (!before) throw notFound()
        const judging = { schema, current: before, allow, ...lookups(tx, actor.project.id) }
        const { fields, rotateSecret, enabled } = await readSubscription(body, judging)
        const signingSecret = secretAfter(before, fields, rotateSecret)
        const pause = pauseAfter(before, fields, enabled, now)
        const nextDeliveryDate = dateAfter(before, fields, pause.disabledAt !== null, now)
        const patch = { ...fields, ...pause, nextDeliveryDate, signingSecret }
        const after = await change(tx, actor.caller, before, patch, now)
        await sendConfirmations(tx, before, after, now)
        const shown = signingSecret === before.signingSecret ? null : signingSecret
        const authorOf = await authorsOf(tx.users, [after])
        return view(after, authorOf(after), shown)
      }),
    /** Deleting a deleted one changes nothing. */
    remove: (actor: Actor, id: string): Promise<void> =>
      stores.transaction(async (tx) => {
        const before = found(await tx.subscriptions.find(actor.project.id, readId(id)))
        await change(tx, actor.caller, before, { deleted: true }, clock.now())
      }),
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>
