/** The list next to the player: pages, clicks and console lines with their times; a click on an entry seeks to it. */
import {
  CLICK,
  INCREMENTAL,
  META,
  MOUSE_INTERACTION,
  PLUGIN,
  type RecordedEvent,
  type WindowEvent,
} from './recorded-event.ts'

interface Entry {
  kind: 'page' | 'click' | 'log' | 'warn' | 'error'
  timestamp: number
  text: string
}

const CONSOLE = 'rrweb/console@1'
const MOST_TEXT = 300

/** Half of a surrogate pair, which a cut may leave at the end. */
const HALF_A_PAIR = /[\ud800-\udbff]$/

const levelOf = (level: unknown): Entry['kind'] => (level === 'error' || level === 'warn' ? level : 'log')

/** Each console argument is separate JSON. */
function plain(argument: unknown): string {
  try {
    const value: unknown = JSON.parse(String(argument))
    return typeof value === 'string' ? value : String(argument)
  } catch {
    return String(argument)
  }
}

function describe({ type, data }: RecordedEvent): Omit<Entry, 'timestamp'> | null {
  if (type === META) return { kind: 'page', text: String(data?.href ?? '') }
  if (type === INCREMENTAL && data?.source === MOUSE_INTERACTION && data.type === CLICK) {
    return { kind: 'click', text: 'Click' }
  }
  if (type !== PLUGIN || data?.plugin !== CONSOLE) return null
  const { level, payload } = data.payload ?? {}
  const text = Array.isArray(payload) ? payload.map(plain).join(' ') : ''
  return { kind: levelOf(level), text: text.slice(0, MOST_TEXT).replace(HALF_A_PAIR, '') }
}

function entriesOf(events: WindowEvent[]): Entry[] {
  return events.flatMap(({ event }) => {
    const entry = describe(event)
    return entry ? [{ ...entry, timestamp: event.timestamp }] : []
  })
}

const clockTime = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export class Inspector {
  readonly #list = document.createElement('ol')
  readonly #start: number
  /** Called when an entry is clicked. */
  seek: (timestamp: number) => void = () => undefined

  constructor(parent: HTMLElement, start: number) {
    this.#start = start
    this.#list.className = 'inspector'
    parent.append(this.#list)
  }

  /** Instead of what it has. */
  show(events: WindowEvent[]): void {
    this.#list.replaceChildren()
    this.add(events)
  }

  add(events: WindowEvent[]): void {
    for (const { kind, timestamp, text } of entriesOf(events)) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = kind
      button.textContent = `${clockTime(timestamp - this.#start)} ${text}`
      button.addEventListener('click', () => this.seek(timestamp))
      const item = document.createElement('li')
      item.append(button)
      this.#list.append(item)
    }
  }
}
