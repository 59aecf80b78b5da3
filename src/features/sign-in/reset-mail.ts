/**
 * A mail with a link to a new password, for who has forgotten it. Asking leaves the same job for an address that is nobody's:
 * neither the answer nor its time tells whether a user has it.
 */
import { jobBackoff } from '../../lib/concurrency/backoff.ts'
import { type AppError, throttled } from '../../lib/errors.ts'
import { sha256Hex } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Job, Worker } from '../../model/job.ts'
import type { Stores } from '../../model/stores.ts'
import { makeAccountLink } from '../../rules/accounts/new-link.ts'
import { noteTry } from '../../rules/accounts/password-tries.ts'
import type { Mailer, MailMessage } from '../../transports/mail.ts'
import { buttons, escapeForMail, heading, htmlDocument, paragraph, row, small } from '../../transports/mail-html.ts'
import { networkOf } from './network.ts'

export interface ResetMailParts {
  stores: Pick<Stores, 'users' | 'transaction'>
  clock: Clock
  mailer: Mailer
  /** What links begin with: never the host of a request, which whoever asks could choose. */
  publicUrl: string
  /** The user's own address refused the mail. */
  failed: (userId: number, reason: string) => void
}

const KIND = 'mail-reset-link'
const MAX_TRIES = 5
/** Mails to one address within ten minutes. */
const OF_ADDRESS = 5
const OF_NETWORK = 100

interface ResetPayload {
  email: string
}

const tooMany = (seconds: number, max: number): AppError =>
  throttled(seconds, max, (wait) => `Too many links were asked for. Try again in ${wait} s.`)

type Content = Pick<MailMessage, 'subject' | 'text' | 'html'>

function resetMail(email: string, link: string): Content {
  const subject = 'A new password for Hedgerow'
  const why = `Somebody, you most likely, has asked for a new password for ${email}.`
  const life = 'The link works once, for a day. If it was not you, do nothing: your password stays as it is.'
  return {
    subject,
    text: `${why}\n\nChoose a new password: ${link}\n\n${life}\n`,
    html: htmlDocument({
      title: subject,
      preview: why,
      rows: [
        row(small('Hedgerow')),
        row(heading(subject, null), 2),
        row(paragraph(escapeForMail(why)), 8),
        row(buttons([{ text: 'Choose a new password', url: link }]), 22),
        row(small(escapeForMail(life))),
      ],
      footer: [],
    }),
  }
}

export function createResetMail({ stores, clock, mailer, publicUrl, failed }: ResetMailParts) {
  const worker: Worker = {
    kind: KIND,
    atOnce: 1,
    maxAttempts: MAX_TRIES,
    backoff: jobBackoff,
    async run({ id, payload, attempts }: Job) {
      const user = await stores.users.findByEmail((payload as ResetPayload).email)
      if (!user) return
      const path = await stores.transaction((tx) => makeAccountLink(tx, user, clock.now()))
      const message = { ...resetMail(user.email, `${publicUrl}${path}`), attachments: [], unsubscribeLink: null }
      const messageId = `<reset.${id}.${attempts}@${mailer.domain}>`
      const outcome = await mailer.send({ ...message, to: user.email, messageId })
      if (outcome.kind === 'accepted') return
      if (outcome.kind === 'retry' && attempts < MAX_TRIES) throw new Error(outcome.reason)
      failed(user.id, outcome.reason)
    },
  }
  return {
    worker,
    async ask(email: string, ip: string): Promise<void> {
      const address = sha256Hex(email.toLowerCase())
      const now = clock.now()
      const limits = [
        { subject: `reset:${address}`, max: OF_ADDRESS },
        { subject: `reset:${networkOf(ip)}`, max: OF_NETWORK },
      ]
      await noteTry(stores, limits, now, tooMany)
      const job = { kind: KIND, key: address, projectId: null, payload: { email } satisfies ResetPayload, runAt: now }
      await stores.transaction((tx) => tx.jobs.add(job))
    },
  }
}
