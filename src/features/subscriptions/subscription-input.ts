/**
 * From a body to the fields of a subscription. All that is wrong with it is told at once: shape, ranges, the
 * schedule as a whole, the target, and ids that are not the project's. Fields that a change does not name keep
 * their value, and what was accepted once and is not touched is not judged again.
 */
import type { TSchema } from 'typebox'
import { type CollectedProblems, collectProblems, refuseProblems } from '../../http/input/collect-problems.ts'
import type { Problem } from '../../lib/errors.ts'
import { parseInstant } from '../../lib/time/time.ts'
import type { Schedule, Subscription, TargetType } from '../../model/subscriptions/subscription.ts'
import { readTarget } from './target.ts'
import { type ScheduleInput, scheduleProblems } from './validate-schedule.ts'

/** What is not a caller's to set. */
type Kept =
  | 'id'
  | 'projectId'
  | 'createdById'
  | 'createdAt'
  | 'nextDeliveryDate'
  | 'signingSecret'
  | 'disabledAt'
  | 'disabledReason'

/** What a caller may set. */
export type Editable = Omit<Subscription, Kept>

/** Not judged yet: choices are any text. */
type Draft = Omit<Editable, keyof Schedule | 'targetType'> & ScheduleInput & { targetType: string }

export interface InputParts {
  schema: TSchema
  /** Null when one is being made. */
  current: Subscription | null
  /** Hosts that webhooks may name although they are not public. */
  allow: readonly string[]
  /** Whether the project has it, not deleted. */
  hasDashboard(id: number): Promise<boolean>
  hasInsight(id: number): Promise<boolean>
}

/** What holds for a field that is not given; for required ones, what breaks no rule while their absence is told. */
const EMPTY: Draft = {
  dashboardId: null,
  insightId: null,
  targetType: '',
  targetValue: '',
  frequency: '',
  interval: 1,
  byweekday: null,
  bysetpos: null,
  count: null,
  startDate: -Infinity,
  untilDate: null,
  timezone: 'UTC',
  deleted: false,
  title: null,
  inviteMessage: null,
}

const FIELDS: Record<string, keyof Draft> = {
  dashboard: 'dashboardId',
  insight: 'insightId',
  target_type: 'targetType',
  target_value: 'targetValue',
  frequency: 'frequency',
  interval: 'interval',
  byweekday: 'byweekday',
  bysetpos: 'bysetpos',
  count: 'count',
  start_date: 'startDate',
  until_date: 'untilDate',
  timezone: 'timezone',
  deleted: 'deleted',
  title: 'title',
  invite_message: 'inviteMessage',
}

const DATES = ['start_date', 'until_date']
const SCHEDULE = [...DATES, 'frequency', 'interval', 'byweekday', 'bysetpos', 'count', 'timezone']

function draftOf({ sent, isWrong }: CollectedProblems, current: Subscription | null): Draft {
  const entries = Object.entries(FIELDS).flatMap(([wire, field]): [string, unknown][] => {
    if (isWrong(wire)) return [[field, EMPTY[field]]]
    if (!Object.hasOwn(sent, wire)) return []
    const value = sent[wire]
    return [[field, DATES.includes(wire) && typeof value === 'string' ? parseInstant(value, wire) : value]]
  })
  return { ...(current ?? EMPTY), ...Object.fromEntries(entries) }
}

type Rule = (draft: Draft, judgement: CollectedProblems, parts: InputParts) => Problem[] | Promise<Problem[]>

const isSent = ({ sent }: CollectedProblems, ...fields: string[]): boolean =>
  fields.some((field) => Object.hasOwn(sent, field))

const scheduleRule: Rule = (draft, judgement) => {
  if (!isSent(judgement, ...SCHEDULE)) return []
  return scheduleProblems(draft).filter(({ attr }) => !judgement.isWrong(attr?.split('__')[0] ?? ''))
}

/** Also brings the target into the form that is kept. */
const targetRule: Rule = (draft, judgement, { allow }) => {
  if (judgement.isWrong('target_type') || judgement.isWrong('target_value')) return []
  if (!isSent(judgement, 'target_type', 'target_value')) return []
  const reading = readTarget(draft.targetType as TargetType, draft.targetValue, allow)
  if ('problems' in reading) return reading.problems
  draft.targetValue = reading.value
  return []
}

/** The same sentence for an id that is unknown and for one of another project. */
const relationRule =
  (attr: 'dashboard' | 'insight'): Rule =>
  async (draft, _judgement, { current, hasDashboard, hasInsight }) => {
    const field = attr === 'dashboard' ? 'dashboardId' : 'insightId'
    const id = draft[field]
    if (id === null || id === current?.[field]) return []
    if (await (attr === 'dashboard' ? hasDashboard(id) : hasInsight(id))) return []
    return [{ attr, code: 'does_not_exist', detail: `Invalid pk "${id}" - object does not exist.` }]
  }

const rotationRule: Rule = (draft, judgement) => {
  if (judgement.sent.rotate_secret !== true || draft.targetType === 'webhook' || judgement.isWrong('target_type'))
    return []
  return [{ attr: 'rotate_secret', code: 'invalid_input', detail: 'Only webhook subscriptions have a signing secret.' }]
}

const RULES: Rule[] = [scheduleRule, targetRule, relationRule('dashboard'), relationRule('insight'), rotationRule]

export interface SubscriptionInput {
  fields: Editable
  rotateSecret: boolean
  /** Undefined when the body does not say. */
  enabled: boolean | undefined
}

/** Asks only what `parts` offers, so that it may run inside a transaction. */
export async function readSubscription(body: unknown, parts: InputParts): Promise<SubscriptionInput> {
  const judgement = collectProblems(parts.schema, body)
  const draft = draftOf(judgement, parts.current)
  const problems = [...judgement.problems]
  for (const rule of RULES) problems.push(...(await rule(draft, judgement, parts)))
  refuseProblems(parts.schema, problems)
  const { rotate_secret: rotate, enabled } = judgement.sent
  return { fields: draft as Editable, rotateSecret: rotate === true, enabled: enabled as boolean | undefined }
}
