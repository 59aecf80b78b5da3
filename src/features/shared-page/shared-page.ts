/**
 * The page of a share's link: the player, the password form, or a 404 for a link that does not work, whatever the
 * reason. The player fetches its data itself: through the API by the token, or, behind a password, from the page's own
 * URL by the grant that a correct password earns.
 */
import { Type } from 'typebox'
import { collectProblems, refuseProblems } from '../../http/input/collect-problems.ts'
import { jsonAnswer } from '../../http/page-routes.ts'
import { Answer } from '../../http/route.ts'
import { AppError, invalid, notFound } from '../../lib/errors.ts'
import { escapeHtml } from '../../lib/text/escape-html.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { OpenShare, ShareSettings } from '../../model/recordings/sharing.ts'
import { pagePolicy } from './content-security-policy.ts'
import { type Look, passwordPage, playerPage, problemPage } from './page-html.ts'
import type { PlayerFileSet } from './player-files.ts'

/** How a page is opened: directly, or in a frame on another site. */
export type Kind = 'shared' | 'embedded'

export interface SharedPageParts {
  files: PlayerFileSet
  /** Null when the token is not live. */
  open: (token: string, grants: string[]) => Promise<OpenShare | null>
  /** Null when the password is wrong; refuses callers with too many wrong tries. */
  unlock: (token: string, password: string) => Promise<{ grant: string; lifeSeconds: number } | null>
  snapshots: (share: { projectId: number; sessionId: string }, query: Record<string, unknown>) => Promise<Answer>
}

export interface Visit {
  kind: Kind
  token: string
  /** Grants that the visitor sends: by cookie, by header. */
  grants: string[]
  /** The query of the URL, with its `?`. */
  search: string
  /** From the page to the root of the server. */
  root: string
  /** What stands before every path in the browser. */
  basePath: string
  /** Reached over TLS. */
  secure: boolean
}

/** What a program sends instead of the form. */
const PasswordBody = Type.Object({ password: Type.String() })

function readPassword(body: unknown): string {
  const { problems, sent } = collectProblems(PasswordBody, body)
  refuseProblems(PasswordBody, problems)
  return sent.password as string
}

const wrongPassword = (): AppError => new AppError('unauthenticated', 'authentication_failed', 'Incorrect password')

const HTML = 'text/html; charset=utf-8'
export const COOKIE = 'hedgerow_share'
const DEAD = 'This link does not lead to a recording. It may have been switched off, replaced or deleted.'

const framing = (kind: Kind): Record<string, string> => (kind === 'embedded' ? {} : { 'x-frame-options': 'DENY' })

function html(text: string, policy: string, kind: Kind, status = 200): Answer {
  const headers = { 'content-type': HTML, 'content-security-policy': policy, ...framing(kind) }
  return new Answer(text, { status, headers })
}

const plainPolicy = (kind: Kind, form: boolean): string =>
  pagePolicy({ replay: false, remote: false, form, framed: kind === 'embedded' })

/** Minutes and seconds, hours when there are any. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${String(m).padStart(h > 0 ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}

const headingOf = ({ startAt, endAt }: OpenShare): string => {
  const minute = formatInstant(startAt).slice(0, 16).replace('T', ' ')
  return `Session recording · ${minute} UTC · ${clockTime(endAt - startAt)}`
}

/** The URL the page fetches the recording from. */
function sourceOf(share: OpenShare, { kind, token, root }: Visit): string {
  if (share.passwordRequired) return `${root}${kind}/${token}/snapshots`
  const recording = `${root}api/projects/${share.projectId}/session_recordings/${encodeURIComponent(share.sessionId)}`
  return `${recording}/snapshots/?sharing_access_token=${token}`
}

function showPlayer(share: OpenShare, visit: Visit, look: Look, grant: string | null): Answer {
  const { kind } = visit
  const data = {
    source: sourceOf(share, visit),
    start: String(share.startAt),
    platform: share.source,
    ...(share.settings.showInspector ? { inspector: '1' } : {}),
    ...(grant === null ? {} : { grant }),
  }
  const remote = share.settings.loadRemote === true
  const policy = pagePolicy({ replay: true, remote, form: false, framed: kind === 'embedded' })
  return html(playerPage(look, headingOf(share), data), policy, kind)
}

/** Relative, as every address of a page: a proxy may have taken away a part of the path. */
const pathOf = ({ kind, token, search, root }: Visit): string => `${root}${kind}/${token}${search}`

const setCookie = ({ token, basePath, secure }: Visit, grant: string, lifeSeconds: number): string =>
  `${COOKIE}=${grant}; Path=${basePath}/shared/${token}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export function createSharedPage({ files, open, unlock, snapshots }: SharedPageParts) {
  const look = async ({ root }: Visit, settings: ShareSettings = {}): Promise<Look> => {
    const pathOf = await files.paths()
    return { file: (name) => root + pathOf(name), settings }
  }
  const dead = async (visit: Visit): Promise<Answer> => {
    const page = problemPage(await look(visit), 'Recording not found', DEAD)
    return html(page, plainPolicy(visit.kind, false), visit.kind, 404)
  }
  const ask = async (share: OpenShare, visit: Visit, problem: string | null, status: number): Promise<Answer> => {
    const page = passwordPage(await look(visit, share.settings), problem)
    return html(page, plainPolicy(visit.kind, true), visit.kind, status)
  }
  const tryPassword = async (share: OpenShare, visit: Visit, password: string): Promise<Answer> => {
    const { kind, token } = visit
    const unlocked = await unlock(token, password)
    if (!unlocked) return ask(share, visit, 'Incorrect password', 401)
    // In a frame on another site browsers do not store the cookie: there the page itself holds the grant.
    if (kind === 'embedded') return showPlayer(share, visit, await look(visit, share.settings), unlocked.grant)
    const cookie = setCookie(visit, unlocked.grant, unlocked.lifeSeconds)
    return new Answer('', { status: 303, headers: { 'set-cookie': cookie, location: pathOf(visit) } })
  }
  return {
    async show(visit: Visit): Promise<Answer> {
      const share = await open(visit.token, visit.grants)
      if (!share) return dead(visit)
      if (share.locked) return ask(share, visit, null, 200)
      return showPlayer(share, visit, await look(visit, share.settings), null)
    },
    async enter(visit: Visit, password: string): Promise<Answer> {
      const share = await open(visit.token, visit.grants)
      if (!share) return dead(visit)
      if (!share.locked) return new Answer('', { status: 303, headers: { location: pathOf(visit) } })
      try {
        return await tryPassword(share, visit, password)
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'throttled') throw error
        const page = await ask(share, visit, 'Too many wrong passwords. Please try again later.', 429)
        return new Answer(page.body, {
          status: 429,
          headers: { ...page.headers, 'retry-after': String(error.retryAfterSeconds) },
        })
      }
    },
    /** The same for a program: it gets the grant that a correct password earns, to be sent as a bearer token. */
    async unlock(visit: Visit, body: unknown): Promise<Answer> {
      const { kind, token } = visit
      const share = await open(token, [])
      if (!share) throw notFound('Recording not found')
      const password = readPassword(body)
      if (!share.passwordRequired) throw invalid('This recording asks for no password.', 'password')
      const unlocked = await unlock(token, password)
      if (!unlocked) throw wrongPassword()
      const { grant, lifeSeconds } = unlocked
      const cookie = kind === 'embedded' ? {} : { 'set-cookie': setCookie(visit, grant, lifeSeconds) }
      return jsonAnswer({ shareToken: grant }, 200, cookie)
    },
    /** The recording's data for the page; a locked one is a 404 like an unknown one. */
    async snapshots(visit: Visit, query: Record<string, unknown>): Promise<Answer> {
      const share = await open(visit.token, visit.grants)
      if (!share || share.locked) throw notFound('Recording not found')
      return snapshots(share, query)
    },
    file: files.answer,
    /** For errors outside these handlers; needs no file of ours. */
    problem: (status: number, detail: string): Answer =>
      html(
        `<!doctype html>\n<title>${status}</title>\n<p>${escapeHtml(detail)}</p>\n`,
        plainPolicy('shared', false),
        'shared',
        status,
      ),
  }
}

export type SharedPage = ReturnType<typeof createSharedPage>
