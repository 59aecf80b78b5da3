/** Mail against a real server on loopback that takes, refuses, greylists, drops and stalls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../test/support/servers/smtp.ts'
import { createMailer, type MailMessage } from './mail.ts'

let server: MailServer
beforeEach(async () => {
  server = await startMailServer()
})
afterEach(() => server.stop())

const FROM = 'Acme Reports <reports@acme.example>'
const mailer = (timeoutMs = 5_000, url = server.url) => createMailer({ url, from: FROM, timeoutMs })

const message = (input: Partial<MailMessage> = {}): MailMessage => ({
  to: 'ann@example.com',
  messageId: '<0196-1@acme.example>',
  subject: 'Wöchentlich',
  text: 'In words',
  html: '<p>In <b>words</b> <img src="cid:chart-1"></p>',
  attachments: [{ filename: 'chart.png', content: Buffer.from('PNG'), contentType: 'image/png', cid: 'chart-1' }],
  unsubscribeLink: 'https://stats.example/unsubscribe?token=abc',
  ...input,
})

describe('a mail', () => {
  it('reaches its one address with text, HTML and picture, and can be answered by one click', async () => {
    expect(await mailer().send(message())).toEqual({ kind: 'accepted' })
    const [mail] = server.mails
    expect(server.mails).toHaveLength(1)
    expect([mail?.from, mail?.to]).toEqual(['reports@acme.example', 'ann@example.com'])
    const raw = mail?.raw.replace(/\r\n[ \t]+/g, ' ') ?? ''
    expect(raw).toContain('From: Acme Reports <reports@acme.example>')
    expect(raw).toContain('Message-ID: <0196-1@acme.example>')
    expect(raw).toContain('List-Unsubscribe: <https://stats.example/unsubscribe?token=abc>')
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(raw).toMatch(/Subject: =\?UTF-8\?/)
    for (const type of ['multipart/alternative', 'text/plain', 'text/html', 'image/png']) expect(raw).toContain(type)
    expect(raw).toContain('Content-Id: <chart-1>'.replace('Id', raw.includes('Content-ID') ? 'ID' : 'Id'))
  })

  it('has no unsubscribe headers where there is nothing to leave', async () => {
    await mailer().send(message({ unsubscribeLink: null }))
    expect(server.mails[0]?.raw).not.toContain('List-Unsubscribe')
  })

  it('cannot smuggle headers or recipients in', async () => {
    await mailer().send(message({ subject: 'Hi\r\nBcc: eve@example.com' }))
    expect(server.mails[0]?.to).toBe('ann@example.com')
    expect(server.mails[0]?.raw).not.toMatch(/^Bcc:/m)
  })

  it('is refused permanently when the server does not know the user', async () => {
    server.behave((moment) => (moment === 'rcpt' ? { code: 550, text: 'No such user here' } : null))
    const outcome = await mailer().send(message())
    expect(outcome).toMatchObject({ kind: 'refused' })
    expect(outcome).toHaveProperty('reason', expect.stringContaining('550 No such user here'))
  })

  it('is tried again later when it is greylisted', async () => {
    let asked = 0
    server.behave((moment) => (moment === 'rcpt' && asked++ === 0 ? { code: 451, text: 'Try again later' } : null))
    const outcome = await mailer().send(message())
    expect(outcome).toMatchObject({ kind: 'retry', mayHaveArrived: false })
    expect(outcome).toHaveProperty('reason', expect.stringContaining('451 Try again later'))
    expect(await mailer().send(message())).toEqual({ kind: 'accepted' })
    expect(server.mails).toHaveLength(1)
  })

  it('is refused permanently when its content is, and retried when the disk is full', async () => {
    server.behave((moment) => (moment === 'data' ? { code: 554, text: 'Looks like spam' } : null))
    expect(await mailer().send(message())).toMatchObject({ kind: 'refused' })
    server.behave((moment) => (moment === 'data' ? { code: 452, text: 'Insufficient storage' } : null))
    expect(await mailer().send(message())).toMatchObject({ kind: 'retry', mayHaveArrived: false })
  })

  it('may have arrived when the connection breaks before the answer', async () => {
    server.behave((moment) => (moment === 'data' ? 'drop' : null))
    expect(await mailer().send(message())).toMatchObject({ kind: 'retry', mayHaveArrived: true })
  })

  it('has not arrived when the connection breaks before the message', async () => {
    server.behave((moment) => (moment === 'rcpt' ? 'drop' : null))
    expect(await mailer().send(message())).toMatchObject({ kind: 'retry', mayHaveArrived: false })
  })

  it('does not wait for a server that says nothing', async () => {
    // The server itself takes 100 ms over its greeting.
    server.behave(() => 'stall')
    expect(await mailer(400).send(message())).toMatchObject({ kind: 'retry', mayHaveArrived: false })
    server.behave((moment) => (moment === 'data' ? 'stall' : null))
    expect(await mailer(400).send(message())).toMatchObject({ kind: 'retry', mayHaveArrived: true })
  })

  it('is retried when there is no server, and the password is not shown', async () => {
    await server.stop()
    const outcome = await mailer(500, server.url.replace('smtp://', 'smtp://ann:secretword@')).send(message())
    expect(outcome).toMatchObject({ kind: 'retry', mayHaveArrived: false })
    expect(JSON.stringify(outcome)).not.toContain('secretword')
    server = await startMailServer()
  })
})

describe('the login', () => {
  it('uses the name and password of the URL', async () => {
    const url = server.url.replace('smtp://', 'smtp://ann%40acme.example:right@')
    await mailer(5_000, url).verify()
    expect(server.logins).toEqual([['ann@acme.example', 'right']])
    expect(await mailer(5_000, url).send(message())).toEqual({ kind: 'accepted' })
  })
  it('that is refused is for the operator: tried again, the address is not to blame', async () => {
    const url = server.url.replace('smtp://', 'smtp://ann:wrongword@')
    const outcome = await mailer(5_000, url).send(message())
    expect(outcome).toMatchObject({ kind: 'retry' })
    expect(JSON.stringify(outcome)).not.toContain('wrongword')
    await expect(mailer(5_000, url).verify()).rejects.toThrow(/535/)
  })
})
