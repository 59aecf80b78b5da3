/** A mail server on loopback that behaves, or misbehaves, as configured. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string
  /** The whole message: headers, a blank line, parts. */
  raw: string
}

/** What it does with each recipient or message; `null` accepts it. */
type MailBehaviour = (
  moment: 'rcpt' | 'data',
  address: string,
) => null | { code: number; text: string } | 'drop' | 'stall'

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  behave(behaviour: MailBehaviour): void
  /** Names and passwords it received. */
  logins: [string, string][]
  stop(): Promise<void>
}

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

type Done = (error?: Error | null) => void

/** On a free port unless one is given. */
export async function startMailServer(at = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const logins: [string, string][] = []
  let behaviour: MailBehaviour = () => null
  const act = (moment: 'rcpt' | 'data', address: string, done: Done): boolean => {
    const wish = behaviour(moment, address)
    if (wish === null) return true
    if (wish === 'drop') for (const socket of sockets) socket.destroy()
    else if (wish !== 'stall') done(refusal(wish))
    return false
  }
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      logins.push([username ?? '', password ?? ''])
      if (password === 'right') done(null, { user: username ?? '' })
      else done(refusal({ code: 535, text: 'Authentication failed' }))
    },
    onRcptTo({ address }, _session, done) {
      if (act('rcpt', address, done)) done()
    },
    onData(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done) {
      const parts: Buffer[] = []
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address).join(',')
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (!act('data', to, done)) return
        mails.push({ from: mailFrom === false ? '' : mailFrom.address, to, raw: Buffer.concat(parts).toString('utf8') })
        done()
      })
    },
  })
  // Reporting a broken connection is up to the sender.
  server.on('error', () => {})
  const sockets = new Set<import('node:net').Socket>()
  server.server.on('connection', (socket: import('node:net').Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    logins,
    behave(next) {
      behaviour = next
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
