/**
 * The sharing configuration of a recording: created on first read, disabled, with a permanent token. First enabling
 * keeps the token; enabling again invalidates every older one at once; refreshing leaves the old one a grace period of
 * 300 seconds. Each change is one transaction with its activity entry; no entry contains a token or a password.
 */
import { randomBytes } from 'node:crypto'
import type { Remember } from '../../http/route.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { randomBase62, readId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant, SECOND } from '../../lib/time/time.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Recording } from '../../model/recordings/recording.ts'
import type { Sharing, SharingPatch } from '../../model/recordings/sharing.ts'
import type { SqlReaders, SqlWriters, Stores } from '../../model/stores.ts'
import { hashPassword } from '../../rules/accounts/password-hash.ts'
import { addActivity } from '../../rules/activity/activity-entry.ts'
import { findRecording } from '../../rules/recordings/recording.ts'
import { findLiveShare } from './live-share.ts'

const GRACE = 300 * SECOND
const MIN_PASSWORD = 8
/** Each wrong try costs one hash per password. */
const MAX_PASSWORDS = 20

export interface SharingParts {
  stores: Pick<Stores, 'sharing' | 'recordings' | 'projects' | 'users' | 'transaction'>
  clock: Clock
}

export interface NewPassword {
  rawPassword: string | null
  note: string | null
}

/** 176 random bits. */
const newToken = (): string => randomBytes(22).toString('base64url')

async function view(stores: Pick<SqlReaders, 'sharing' | 'users'>, sharing: Sharing) {
  const passwords = await stores.sharing.passwords(sharing.projectId, sharing.sessionId)
  const authors = await stores.users.findMany([...new Set(passwords.map((password) => password.createdBy))])
  const emails = new Map(authors.map((user) => [user.id, user.email]))
  return {
    created_at: formatInstant(sharing.createdAt),
    enabled: sharing.enabled,
    access_token: sharing.accessToken,
    settings: sharing.settings,
    password_required: sharing.passwordRequired,
    share_passwords: passwords.map((password) => ({
      id: password.id,
      created_at: formatInstant(password.createdAt),
      note: password.note,
      created_by_email: emails.get(password.createdBy) ?? 'deleted user',
      is_active: true,
    })),
  }
}

const note = (tx: SqlWriters, actor: Actor, sessionId: string, activity: string, now: number) =>
  addActivity(tx, actor, { scope: 'Replay', itemId: sessionId, activity, name: sessionId, changes: null }, now)

/** How enabling changes the existing tokens. */
async function enable(tx: SqlWriters, { projectId, sessionId, sharedAt }: Recording, now: number): Promise<void> {
  if (sharedAt === null) await tx.recordings.update(projectId, sessionId, { sharedAt: now })
  else await tx.sharing.rotate(projectId, sessionId, newToken(), { now, graceUntil: now })
  await tx.sharing.dropReplaced(projectId, sessionId)
}

async function patchSharing(tx: SqlWriters, actor: Actor, sessionId: string, patch: SharingPatch, now: number) {
  const { id } = actor.project
  const recording = await findRecording(tx.recordings, id, sessionId, now)
  const before = await tx.sharing.ensure(id, sessionId, newToken(), now)
  const turned = patch.enabled !== undefined && patch.enabled !== before.enabled
  if (turned && patch.enabled) await enable(tx, recording, now)
  await tx.sharing.update(id, sessionId, patch)
  if (turned) await note(tx, actor, sessionId, patch.enabled ? 'sharing enabled' : 'sharing disabled', now)
}

function choosePassword(given: string | null): string {
  if (given === null) return randomBase62(96)
  if (given.length >= MIN_PASSWORD) return given
  throw invalid(`Password must be at least ${MIN_PASSWORD} characters long.`, 'raw_password', 'min_length')
}

async function checkRoom(sharing: SqlReaders['sharing'], { id }: Project, sessionId: string): Promise<void> {
  if (!(await sharing.find(id, sessionId))?.passwordRequired) {
    throw invalid('Password protection must be enabled before creating passwords')
  }
  if ((await sharing.passwords(id, sessionId)).length >= MAX_PASSWORDS) {
    throw invalid(`A share has at most ${MAX_PASSWORDS} passwords.`)
  }
}

export function createSharing({ stores, clock }: SharingParts) {
  const retrieve = async ({ id }: Project, sessionId: string) => {
    const now = clock.now()
    await findRecording(stores.recordings, id, sessionId, now)
    const made = await stores.sharing.find(id, sessionId)
    if (made) return view(stores, made)
    return stores.transaction(async (tx) => {
      await findRecording(tx.recordings, id, sessionId, now)
      return view(tx, await tx.sharing.ensure(id, sessionId, newToken(), now))
    })
  }
  return {
    retrieve,
    /** The recording that a token gives access to by itself; null when it is not live or a password is required. */
    async openedBy(token: string): Promise<{ projectId: number; sessionId: string } | null> {
      const share = await findLiveShare(stores, token, clock.now())
      if (!share || share.sharing.passwordRequired) return null
      const { projectId, sessionId } = share.recording
      return { projectId, sessionId }
    },
    async patch(actor: Actor, sessionId: string, patch: SharingPatch) {
      await stores.transaction((tx) => patchSharing(tx, actor, sessionId, patch, clock.now()))
      return retrieve(actor.project, sessionId)
    },
    /** A new token; the old one works for a grace period of 300 seconds. */
    async refresh(actor: Actor, sessionId: string) {
      const { id } = actor.project
      return stores.transaction(async (tx) => {
        const now = clock.now()
        await findRecording(tx.recordings, id, sessionId, now)
        const before = await tx.sharing.ensure(id, sessionId, newToken(), now)
        const accessToken = newToken()
        await tx.sharing.rotate(id, sessionId, accessToken, { now, graceUntil: now + GRACE })
        await note(tx, actor, sessionId, 'access token refreshed', now)
        return view(tx, { ...before, accessToken })
      })
    },
    /** The password is in this answer only. */
    async addPassword(actor: Actor, sessionId: string, { rawPassword, note: words }: NewPassword, remember: Remember) {
      const { project, caller } = actor
      const password = choosePassword(rawPassword)
      await findRecording(stores.recordings, project.id, sessionId, clock.now())
      await checkRoom(stores.sharing, project, sessionId)
      const hash = await hashPassword(password, 'share')
      return stores.transaction(async (tx) => {
        const now = clock.now()
        await findRecording(tx.recordings, project.id, sessionId, now)
        await checkRoom(tx.sharing, project, sessionId)
        await note(tx, actor, sessionId, 'sharing password created', now)
        const row = { hash, note: words, createdBy: caller.user.id, createdAt: now }
        const made = await tx.sharing.addPassword(project.id, sessionId, row)
        const answer = {
          id: made.id,
          password,
          note: made.note,
          created_at: formatInstant(made.createdAt),
          created_by_email: caller.user.email,
        }
        await remember(tx, answer)
        return answer
      })
    },
    async removePassword(actor: Actor, sessionId: string, passwordId: string): Promise<void> {
      const { id } = actor.project
      await stores.transaction(async (tx) => {
        const now = clock.now()
        await findRecording(tx.recordings, id, sessionId, now)
        if (!(await tx.sharing.removePassword(id, sessionId, readId(passwordId)))) throw notFound('Password not found')
        await note(tx, actor, sessionId, 'sharing password deleted', now)
      })
    },
  }
}
