/** A client of server-sent events on a connection of its own, which reads lines as a browser's EventSource does. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

interface SentEvent {
  /** `message` unless it has a name. */
  name: string
  data: string
}

export interface TestEventSource {
  status: number
  headers: IncomingHttpHeaders
  /** What has come so far. */
  events(): SentEvent[]
  comments(): string[]
  text(): string
  /** How it ended: as the server meant it, or cut off; null while it is open. */
  ending(): 'ended' | 'cut off' | null
  /** Leaves without a word. */
  leave(): void
}

const fieldOf = (block: string, field: string): string[] =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${field}: `))
    .map((line) => line.slice(field.length + 2))

/** What is complete of it: each part ends with an empty line. */
const blocksOf = (text: string): string[] => text.split('\n\n').slice(0, -1)

function readEvents(text: string): SentEvent[] {
  const blocks = blocksOf(text).filter((block) => fieldOf(block, 'data').length > 0)
  return blocks.map((block) => ({
    name: fieldOf(block, 'event')[0] ?? 'message',
    data: fieldOf(block, 'data').join('\n'),
  }))
}

/** Resolves when the headers are there. */
export async function openEventSource(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<TestEventSource> {
  const sent = request({ host: '127.0.0.1', port, path, headers: { accept: 'text/event-stream', ...headers } })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end()
  })
  let text = ''
  let ending: 'ended' | 'cut off' | null = null
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    text += part
  })
  sent.on('error', () => {})
  response.on('error', () => {})
  response.on('close', () => {
    ending = response.complete ? 'ended' : 'cut off'
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: () => readEvents(text),
    comments: () => blocksOf(text).filter((block) => block.startsWith(':')),
    text: () => text,
    ending: () => ending,
    leave: () => void sent.destroy(),
  }
}
