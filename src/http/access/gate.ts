/**
 * The checks every request passes before its body is read, in the contract's order: key or sign-in 401, a sign-in that
 * another site sends 403, project 404, confinement 403, membership 403, method 405, scope and level 403, a sign-in that
 * has to be proved again 403, rate limit 429. Where a route allows it, a sharing token replaces key, project and scope.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { sha256Hex } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE } from '../../lib/time/time.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { UrlOf } from '../request-call.ts'
import type { Level, Remember, Route } from '../route.ts'
import {
  type Access,
  createKeyHasher,
  endedSignIn,
  type Found,
  findProject,
  missingKey,
  reachable,
  wrongKey,
} from './auth.ts'
import { allowAnyOrigin, type Cors, mirrorOrigin } from './cors.ts'
import { checkLevel } from './levels.ts'
import { checkOwnRequest } from './own-origin.ts'
import { KEY_LIMITS, type Limit, QUERY_LIMITS, type RateLimiter } from './rate-limit.ts'
import { checkRecentProof } from './recent-proof.ts'
import { checkScope } from './scope.ts'
import { authenticateByToken, PRIVATE, shareTokenOf, tokenNotAllowedHere, wrongToken } from './sharing-token.ts'
import { signInSecret } from './sign-in-cookie.ts'

/** What http/mount.ts attaches to each path and method. */
export interface Mounted {
  level: Level
  /** Absent where the path exists but not with this method. */
  route?: Route
  allow: string[]
  /** Sentences for methods that the path refuses. */
  refusals?: Partial<Record<string, string>>
  cors: Cors
}

/** What the gate has found out about a request. */
interface Passed {
  caller?: Caller
  /** What the caller was found by. */
  hash?: string
  project?: Project
  /** Opened by a sharing token: there is no caller. */
  shared?: true
  /** Set where the request carries an Idempotency-Key. */
  remember?: Remember
  /** After how many milliseconds an answer that goes on has begun. */
  begunAfter?: number
  /** Why the request was refused, for metrics and log. */
  refusal?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    passed: Passed
  }
}

export interface GateParts {
  access: Access
  urlOf: UrlOf
  clock: Clock
  limiter: RateLimiter
  rateLimits: boolean
}

type Hashing = GateParts & { keyHash: ReturnType<typeof createKeyHasher> }

/** Wrong keys and tokens from one address; far above what a legitimate client sends. Cannot be switched off. */
const WRONG_KEYS: Limit[] = [{ max: 1_000, windowMs: MINUTE }]
const QUERY_TAGS = new Set(['persons', 'sessions', 'session_recordings', 'events', 'query'])

/** Counts wrong keys and tokens, so that guessing is limited. */
function wrong({ limiter }: GateParts, request: FastifyRequest, refused: AppError): AppError {
  limiter.take(`wrong-key:${sha256Hex(request.ip)}`, WRONG_KEYS)
  return refused
}

function refuseMethod({ method }: FastifyRequest, { allow, refusals }: Mounted): AppError {
  const detail = refusals?.[method] ?? `Method "${method}" not allowed.`
  return new AppError('method_not_allowed', 'method_not_allowed', detail, { allow })
}

function limitKey({ limiter }: GateParts, caller: Caller, route: Route, reply: FastifyReply): void {
  const heavy = QUERY_TAGS.has(route.tag)
  const bucket = `${heavy ? 'query' : 'key'}:${sha256Hex(caller.credential.id)}`
  const standing = limiter.take(bucket, heavy ? QUERY_LIMITS : KEY_LIMITS)
  reply.header('ratelimit-limit', String(standing.limit))
  reply.header('ratelimit-remaining', String(standing.remaining))
  reply.header('ratelimit-reset', String(standing.resetSeconds))
}

/** Continues synchronously where the value is there already: a promise per step would cost more than the step itself. */
const whenFound = <T, R>(found: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  found instanceof Promise ? found.then(next) : next(found)

interface Shown {
  hash: string
  /** What the cookie of a sign-in was sent to; null for a key. */
  signInAt: URL | null
}

/** The key if there is one, else the cookie of a sign-in. */
function shownBy(parts: Hashing, request: FastifyRequest): Shown {
  const hash = parts.keyHash(request.raw)
  if (hash !== null) return { hash, signInAt: null }
  const { authorization, cookie } = request.headers
  if (authorization !== undefined || !cookie) throw missingKey()
  const url = parts.urlOf(request)
  const secret = signInSecret(cookie, url)
  if (secret === null) throw missingKey()
  return { hash: parts.access.hashSignIn(secret), signInAt: url }
}

/** Caller and project of a request that needs them. */
function pass(parts: Hashing, request: FastifyRequest, level: Level): void | Promise<void> {
  const { access } = parts
  const { hash, signInAt } = shownBy(parts, request)
  return whenFound(access.authenticate(hash), (caller) => {
    if (!caller) throw wrong(parts, request, signInAt ? endedSignIn() : wrongKey())
    if (signInAt) checkOwnRequest(request, signInAt)
    request.passed.caller = caller
    request.passed.hash = hash
    if (level === 'account') return
    const { project_id } = request.params as { project_id: string }
    return whenFound(findProject(access, caller, project_id), (project) => {
      request.passed.project = reachable(caller, project_id, project)
    })
  })
}

/** True when a sharing token gives access to the route. */
async function passByToken(
  parts: GateParts,
  { shared }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const token = shareTokenOf(request)
  if (!shared || token === null) return false
  const project = await authenticateByToken(parts.access, token, { param: shared.param, request, reply })
  if (!project) throw wrong(parts, request, wrongToken())
  request.passed.project = project
  request.passed.shared = true
  return true
}

/** A token where only keys are accepted: 403 if it is valid, 401 if not. */
async function refuseToken(parts: GateParts, token: string, request: FastifyRequest, reply: FastifyReply) {
  reply.headers(PRIVATE)
  throw (await parts.access.findShare(token)) ? tokenNotAllowedHere() : wrong(parts, request, wrongToken())
}

/** The checks that follow once caller and project are known. */
function admit(parts: GateParts, mounted: Mounted, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
  const { route } = mounted
  if (!route) throw refuseMethod(request, mounted)
  if (route.ownPagesOnly) checkOwnRequest(request, parts.urlOf(request))
  const { caller, project } = request.passed
  if (!caller) return
  route.admit?.(caller)
  checkScope(caller, route.scope)
  return whenFound(organizationAsked(parts, route, caller, project), (organizationId) => {
    if (!route.own) checkLevel(caller, organizationId, route.scope)
    if (route.asksAgain) checkRecentProof(caller, parts.clock.now())
    if (parts.rateLimits) limitKey(parts, caller, route, reply)
  })
}

/** The organisation whose level counts: that of the project, or else the caller's current one. */
function organizationAsked({ access }: GateParts, { own }: Route, caller: Caller, project?: Project): Found<string> {
  if (project) return project.organizationId
  return own ? null : access.currentOrganization(caller)
}

function check(parts: Hashing, mounted: Mounted, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
  const { route, level } = mounted
  if (mounted.cors === 'any') allowAnyOrigin(reply)
  if (mounted.cors === 'mirrored') mirrorOrigin(request, reply)
  if (request.method === 'OPTIONS') return
  const byKey = () =>
    whenFound(level === 'public' ? undefined : pass(parts, request, level), () => admit(parts, mounted, request, reply))
  if (!route?.shared) {
    const token = level === 'public' ? null : shareTokenOf(request)
    return token === null ? byKey() : refuseToken(parts, token, request, reply)
  }
  return passByToken(parts, route, request, reply).then((opened) => (opened ? undefined : byKey()))
}

/** The onRequest hook of each path and method. */
export type Gate = (mounted: Mounted) => (request: FastifyRequest, reply: FastifyReply, done: Done) => void

type Done = (error?: Error) => void

export function createGate(given: GateParts): Gate {
  const parts = { ...given, keyHash: createKeyHasher(given.access) }
  return (mounted) => (request, reply, done) => {
    const passing = check(parts, mounted, request, reply)
    if (passing) passing.then(() => done(), done)
    else done()
  }
}
