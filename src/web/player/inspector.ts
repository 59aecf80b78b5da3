/** The list next to the player: pages, clicks and console lines with their times; a click on an entry seeks to it. */
import { clockTime } from '../../lib/time/clock-time.ts'
import { entriesOf } from './events/entries.ts'
import type { WindowEvent } from './events/recorded-event.ts'

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
    for (const { kind, timestamp, text } of entriesOf(events).filter((entry) => entry.kind !== 'request')) {
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
