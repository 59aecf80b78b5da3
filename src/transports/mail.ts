/**
 * Mail by SMTP: one message to one address, on its own connection. A pool would silently resend a message
 * when its connection breaks. The library is loaded when the first mail is sent.
 */
import type { SendMailOptions, Transporter } from 'nodemailer'
import { mailDomain, readSender } from '../lib/net/mail-address.ts'
import { cutText } from '../lib/text/code-points.ts'
import { SECOND } from '../lib/time/time.ts'
import { accepted, type Outcome, refused, retry } from './outcome.ts'

export interface MailParts {
  /** smtp:// or smtps://, with name and password if the server requires them. */
  url: string
  /** The sender, with or without a name. */
  from: string
  /** For the connection, the greeting, and each period of inactivity. */
  timeoutMs?: number
}

export interface MailMessage {
  to: string
  /** With its angle brackets; the same for every attempt, so that a repeat is recognised as one. */
  messageId: string
  subject: string
  text: string
  html: string
  attachments: { filename: string; content: Buffer; contentType: string; cid: string }[]
  /** URL for one-click unsubscribe by POST; null: no such header. */
  unsubscribeLink: string | null
}

export interface Mailer {
  /** The sender's domain, used in message ids. */
  domain: string
  send(message: MailMessage): Promise<Outcome>
  /** Connects and logs in; rejects with the server's answer. */
  verify(): Promise<void>
}

const TIMEOUT = 10 * SECOND

interface SmtpError extends Error {
  code?: string
  /** The server's answer and its code. */
  response?: string
  responseCode?: number
}

const said = (error: SmtpError): string => cutText((error.response ?? error.message).replace(/\s+/g, ' '), 300)

/** What a server says when it takes nothing from anybody. */
const NOT_AVAILABLE = 421

/** 5xx is permanent; 4xx (such as greylisting) and missing answers are retried. */
function toOutcome(error: SmtpError, isWritten: boolean): Outcome {
  const { responseCode, code } = error
  const isPermanent = responseCode !== undefined && responseCode >= 500 && responseCode < 600
  // A refused login or a protocol error is the operator's to fix, not a problem of this address.
  if (isPermanent && code !== 'EAUTH' && code !== 'EPROTOCOL') return refused(`The mail server said: ${said(error)}`)
  if (responseCode === undefined) {
    return { ...retry(`The mail server could not be used: ${said(error)}`, isWritten), isServerDown: true }
  }
  const answer = retry(`The mail server said: ${said(error)}`)
  return isPermanent || responseCode === NOT_AVAILABLE ? { ...answer, isServerDown: true } : answer
}

/**
 * The library's errors do not show how far it came, but its log does: it has an entry of this kind once the whole
 * message has been written to the connection.
 */
const WRITTEN = 'message'

function watcher() {
  const seen = { isWritten: false }
  const note = (entry: { tnx?: string }) => {
    if (entry.tnx === WRITTEN) seen.isWritten = true
  }
  const logger = { level: () => {}, trace: note, debug: note, info: note, warn: note, error: note, fatal: note }
  return { seen, logger }
}

const unsubscribeHeaders = (link: string | null): Record<string, string> =>
  link === null ? {} : { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

export function createMailer({ url, from, timeoutMs = TIMEOUT }: MailParts): Mailer {
  const sender = readSender(from)
  if (sender === null) throw new Error('The sender of mail is not an address.')
  const open = async (logger: ReturnType<typeof watcher>['logger']): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      logger,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const optionsOf = (message: MailMessage): SendMailOptions => ({
    from: sender,
    to: { name: '', address: message.to },
    envelope: { from: sender.address, to: [message.to] },
    messageId: message.messageId,
    subject: message.subject,
    text: message.text,
    html: message.html,
    attachments: message.attachments.map((part) => ({ ...part, contentDisposition: 'inline' as const })),
    headers: { ...unsubscribeHeaders(message.unsubscribeLink), 'Auto-Submitted': 'auto-generated' },
  })
  return {
    domain: mailDomain(sender.address),
    async send(message) {
      const { seen, logger } = watcher()
      const transport = await open(logger)
      try {
        await transport.sendMail(optionsOf(message))
        return accepted
      } catch (error) {
        return toOutcome(error as SmtpError, seen.isWritten)
      }
    },
    async verify() {
      const transport = await open(watcher().logger)
      await transport.verify()
    },
  }
}
