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
import { clockTime } from '../../lib/time/clock-time.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { OpenShare, ShareSettings } from '../../model/recordings/sharing.ts'
import type { Framed } from './content-security-policy.ts'
import { plainAnswer, playingAnswer } from './page-answer.ts'
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

export const COOKIE = 'hedgerow_share'
const DEAD = 'This link does not lead to a recording. It may have been switched off, replaced or deleted.'

const framedAs = (kind: Kind): Framed => (kind === 'embedded' ? 'by anybody' : 'by nobody')

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

interface Shown {
  look: Look
  scriptAt: string
  grant: string | null
}

function showPlayer(share: OpenShare, visit: Visit, { look, scriptAt, grant }: Shown): Answer {
  const remote = share.settings.loadRemote === true
  const data = {
    source: sourceOf(share, visit),
    start: String(share.startAt),
    platform: share.source,
    ...(share.settings.showInspector ? { inspector: '1' } : {}),
    ...(remote ? { remote: '1' } : {}),
    ...(grant === null ? {} : { grant }),
  }
  const heading = headingOf(share)
  return playingAnswer({
    remote,
    framed: framedAs(visit.kind),
    html: (nonce) => playerPage(look, { heading, data, script: { src: scriptAt, nonce } }),
  })
}

/** Relative, as every address of a page: a proxy may have taken away a part of the path. */
const pathOf = ({ kind, token, search, root }: Visit): string => `${root}${kind}/${token}${search}`

const setCookie = ({ token, basePath, secure }: Visit, grant: string, lifeSeconds: number): string =>
  `${COOKIE}=${grant}; Path=${basePath}/shared/${token}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export function createSharedPage({ files, open, unlock, snapshots }: SharedPageParts) {
  const lookOf = async (settings: ShareSettings = {}): Promise<Look> => ({ style: await files.style(), settings })
  const dead = async ({ kind }: Visit): Promise<Answer> => {
    const look = await lookOf()
    const html = problemPage(look, 'Recording not found', DEAD)
    return plainAnswer({ html, framed: framedAs(kind), status: 404, style: look.style.hash })
  }
  const ask = async (share: OpenShare, { kind }: Visit, problem: string | null, status: number): Promise<Answer> => {
    const look = await lookOf(share.settings)
    const html = passwordPage(look, problem)
    return plainAnswer({ html, framed: framedAs(kind), status, form: true, style: look.style.hash })
  }
  const play = async (share: OpenShare, visit: Visit, grant: string | null): Promise<Answer> => {
    const [look, scripts] = await Promise.all([lookOf(share.settings), files.paths()])
    return showPlayer(share, visit, { look, scriptAt: visit.root + scripts('shared-page.js'), grant })
  }
  const tryPassword = async (share: OpenShare, visit: Visit, password: string): Promise<Answer> => {
    const { kind, token } = visit
    const unlocked = await unlock(token, password)
    if (!unlocked) return ask(share, visit, 'Incorrect password', 401)
    // In a frame on another site browsers do not store the cookie: there the page itself holds the grant.
    if (kind === 'embedded') return play(share, visit, unlocked.grant)
    const cookie = setCookie(visit, unlocked.grant, unlocked.lifeSeconds)
    return new Answer('', { status: 303, headers: { 'set-cookie': cookie, location: pathOf(visit) } })
  }
  return {
    async show(visit: Visit): Promise<Answer> {
      const share = await open(visit.token, visit.grants)
      if (!share) return dead(visit)
      if (share.locked) return ask(share, visit, null, 200)
      return play(share, visit, null)
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
      plainAnswer({
        html: `<!doctype html>\n<title>${status}</title>\n<p>${escapeHtml(detail)}</p>\n`,
        framed: 'by nobody',
        status,
      }),
  }
}

export type SharedPage = ReturnType<typeof createSharedPage>
