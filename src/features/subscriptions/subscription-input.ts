/**
 * Reads a body into the fields of a subscription. All problems are reported at once: shape, ranges, the schedule as a
 * whole, the target, and ids that are not the project's. Fields that a change does not contain keep their value, and
 * unchanged values that were accepted before are not checked again.
 */
import type { TSchema } from 'typebox'
import { type CollectedProblems, collectProblems, refuseProblems } from '../../http/input/collect-problems.ts'
import type { Problem } from '../../lib/errors.ts'
import { parseInstant } from '../../lib/time/time.ts'
import type { Schedule, Subscription, TargetType } from '../../model/subscriptions/subscription.ts'
import { readTarget } from './target.ts'
import { type ScheduleInput, scheduleProblems } from './validate-schedule.ts'

/** Fields that a caller cannot set. */
type Kept =
  | 'id'
  | 'projectId'
  | 'createdById'
  | 'createdAt'
  | 'nextDeliveryDate'
  | 'signingSecret'
  | 'disabledAt'
  | 'disabledReason'

/** Fields that a caller can set. */
export type Editable = Omit<Subscription, Kept>

/** Not checked yet: choices are any text. */
type Draft = Omit<Editable, keyof Schedule | 'targetType'> & ScheduleInput & { targetType: string }

export interface InputParts {
  schema: TSchema
  /** Null for a new one. */
  current: Subscription | null
  /** Hosts that webhooks may use although they are not public. */
  allow: readonly string[]
  /** Whether the project has it, not deleted. */
  hasDashboard(id: number): Promise<boolean>
  hasInsight(id: number): Promise<boolean>
}

/** Defaults of missing fields; for required ones, a value that breaks no rule while their absence is reported. */
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

type Rule = (draft: Draft, checked: CollectedProblems, parts: InputParts) => Problem[] | Promise<Problem[]>

const isSent = ({ sent }: CollectedProblems, ...fields: string[]): boolean =>
  fields.some((field) => Object.hasOwn(sent, field))

const scheduleRule: Rule = (draft, checked) => {
  if (!isSent(checked, ...SCHEDULE)) return []
  return scheduleProblems(draft).filter(({ attr }) => !checked.isWrong(attr?.split('__')[0] ?? ''))
}

/** Also normalizes the target. */
const targetRule: Rule = (draft, checked, { allow }) => {
  if (checked.isWrong('target_type') || checked.isWrong('target_value')) return []
  if (!isSent(checked, 'target_type', 'target_value')) return []
  const reading = readTarget(draft.targetType as TargetType, draft.targetValue, allow)
  if ('problems' in reading) return reading.problems
  draft.targetValue = reading.value
  return []
}

/** The same message for an unknown id and for one of another project. */
const relationRule =
  (attr: 'dashboard' | 'insight'): Rule =>
  async (draft, _judgement, { current, hasDashboard, hasInsight }) => {
    const field = attr === 'dashboard' ? 'dashboardId' : 'insightId'
    const id = draft[field]
    if (id === null || id === current?.[field]) return []
    if (await (attr === 'dashboard' ? hasDashboard(id) : hasInsight(id))) return []
    return [{ attr, code: 'does_not_exist', detail: `Invalid pk "${id}" - object does not exist.` }]
  }

const rotationRule: Rule = (draft, checked) => {
  if (checked.sent.rotate_secret !== true || draft.targetType === 'webhook' || checked.isWrong('target_type')) return []
  return [{ attr: 'rotate_secret', code: 'invalid_input', detail: 'Only webhook subscriptions have a signing secret.' }]
}

const RULES: Rule[] = [scheduleRule, targetRule, relationRule('dashboard'), relationRule('insight'), rotationRule]

export interface SubscriptionInput {
  fields: Editable
  rotateSecret: boolean
  /** Undefined when the body does not contain it. */
  enabled: boolean | undefined
}

/** Reads only through `parts`, so that it may run inside a transaction. */
export async function readSubscription(body: unknown, parts: InputParts): Promise<SubscriptionInput> {
  const checked = collectProblems(parts.schema, body)
  const draft = draftOf(checked, parts.current)
  const problems = [...checked.problems]
  for (const rule of RULES) problems.push(...(await rule(draft, checked, parts)))
  refuseProblems(parts.schema, problems)
  const { rotate_secret: rotate, enabled } = checked.sent
  return { fields: draft as Editable, rotateSecret: rotate === true, enabled: enabled as boolean | undefined }
}
