/** Reads what the tests need of a received mail. */
import type { ReceivedMail } from './smtp.ts'

const unfolded = ({ raw }: ReceivedMail): string => raw.replace(/\r\n[ \t]+/g, ' ')

export const headerOf = (mail: ReceivedMail, name: string): string | null =>
  new RegExp(`^${name}: (.*)\r?$`, 'im').exec(unfolded(mail))?.[1] ?? null

/** The message with quoted-printable decoded, good enough to search for words. */
export const textOf = ({ raw }: ReceivedMail): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Of the header that mail programs use. */
export function unsubscribeUrl(mail: ReceivedMail): URL {
  const [, url = ''] = /<(.*)>/.exec(headerOf(mail, 'List-Unsubscribe') ?? '') ?? []
  return new URL(url)
}
