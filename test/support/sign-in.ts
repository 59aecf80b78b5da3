/** Signing in as a browser does, for tests. */

import { DAY } from '../../src/lib/time/time.ts'
import { hashPassword } from '../../src/rules/accounts/password-hash.ts'
import { hashLink, newSecret } from '../../src/rules/accounts/sign-in-secret.ts'
import type { TestApp } from './app.ts'

export const PASSWORD = 'correct horse battery'
/** What browsers send with requests of the app's own pages. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

export async function givePassword({ stores }: TestApp, userId = 1, password = PASSWORD): Promise<void> {
  // Hundreds of tests sign in: a fifth of the work for each of them.
  const hash = await hashPassword(password, 'share')
  await stores.transaction((tx) => tx.users.setPassword(userId, hash))
}

/** A one-time link for the user; returns its token. */
export async function makeLink(
  { stores, clock }: TestApp,
  userId = 1,
  purpose: 'setup' | 'reset' = 'setup',
): Promise<string> {
  const token = newSecret()
  const now = clock.now()
  const link = { userId, purpose, createdAt: now, expiresAt: now + DAY, usedAt: null }
  await stores.transaction((tx) => tx.accountLinks.create(link, hashLink(token)))
  return token
}

export const postLogin = (app: TestApp, body: unknown, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/login/', { key: null, body, headers: { ...OWN_PAGE, ...headers } })

/** The first cookie of an answer, as a browser sends it back. */
export const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String(answer.headers['set-cookie'] ?? '').split(';', 1)[0] ?? ''

/** Signs in and returns the cookie. */
export async function signIn(app: TestApp, body: unknown = { email: 'admin@localhost', password: PASSWORD }) {
  const answer = await postLogin(app, body)
  if (answer.statusCode !== 200) throw new Error(`Not signed in: ${answer.body}`)
  return cookieOf(answer)
}
