/** The controls below a shared recording: play, position, speed, idle time, full screen; and their keys. */
import { clockTime } from '../../lib/time/clock-time.ts'
import type { ActivitySpan, PlayerState } from '../../model/recordings/player-messages.ts'
import type { Playback } from './playback.ts'

const SPEEDS = [0.5, 1, 2, 4, 8, 16]
const STEP_MS = 10_000
const SECOND = 1_000
const SVG = 'http://www.w3.org/2000/svg'
const ICONS = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  fullScreen: 'M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z',
}

function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const shape = document.createElementNS(SVG, 'path')
  shape.setAttribute('d', path)
  svg.append(shape)
  return svg
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

function iconButton(name: string, path: string, click: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', title: name, onclick: click }, icon(path))
  button.ariaLabel = name
  return button
}

/** Whoever is in a field, or presses a key for the browser, means something else; the position is no such field. */
const isOurs = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !(
    ctrlKey ||
    metaKey ||
    altKey ||
    (target instanceof Element && target.matches('input:not([type="range"]), select, button, a'))
  )

export class Controls {
  readonly #playback: Playback
  readonly #stage: HTMLElement
  readonly #play: HTMLButtonElement
  readonly #position: HTMLInputElement
  readonly #band = make('div', { className: 'band' })
  readonly #time = make('span', { className: 'time' }, '0:00')
  readonly #speed: HTMLSelectElement
  readonly #skip: HTMLInputElement

  /** `stage`: what the full screen shows. */
  constructor(parent: HTMLElement, stage: HTMLElement, playback: Playback) {
    const { start, end } = playback
    this.#playback = playback
    this.#stage = stage
    this.#play = iconButton('Play', ICONS.play, () => this.#toggle())
    const max = String((end - start) / SECOND)
    this.#position = make('input', { type: 'range', min: '0', max, step: '0.1', value: '0' })
    this.#position.ariaLabel = 'Position'
    this.#position.addEventListener('input', () => playback.seek(start + Number(this.#position.value) * SECOND))
    const speeds = SPEEDS.map((speed) => make('option', { value: String(speed) }, `${speed}×`))
    this.#speed = make('select', { title: 'Speed' }, ...speeds)
    this.#speed.ariaLabel = 'Speed'
    this.#speed.addEventListener('change', () => this.#setSpeed(Number(this.#speed.value)))
    this.#skip = make('input', { type: 'checkbox', checked: true })
    this.#skip.addEventListener('change', () => this.#setSkip(this.#skip.checked))
    this.#setSpeed(1)
    const length = make('span', { className: 'length' }, clockTime(end - start))
    const fullScreen = iconButton('Full screen', ICONS.fullScreen, () => this.#toggleFullScreen())
    const skip = make('label', {}, this.#skip, 'Skip idle time')
    const rest = make(
      'div',
      { className: 'rest' },
      this.#speed,
      skip,
      ...(document.fullscreenEnabled ? [fullScreen] : []),
    )
    const time = make('p', {}, this.#time, ' / ', length)
    const position = make('div', { className: 'position' }, this.#band, this.#position)
    parent.append(make('div', { className: 'controls' }, this.#play, position, time, rest))
    document.addEventListener('keydown', (event) => this.#press(event))
  }

  show({ time, isPlaying }: PlayerState): void {
    const { start, end } = this.#playback
    const after = time - start
    const name = isPlaying ? 'Pause' : 'Play'
    if (this.#play.title !== name) {
      this.#play.title = name
      this.#play.ariaLabel = name
      this.#play.replaceChildren(icon(isPlaying ? ICONS.pause : ICONS.play))
    }
    this.#position.value = String(after / SECOND)
    this.#position.ariaValueText = `${clockTime(after)} of ${clockTime(end - start)}`
    this.#time.textContent = clockTime(after)
  }

  /** A band above the position; what has not been read stays clear. */
  showActivity(spans: ActivitySpan[]): void {
    const { start, end } = this.#playback
    const share = (time: number) => Math.max(0, Math.min(1, (time - start) / Math.max(1, end - start)))
    const stop = (colour: string, from: number, to: number) => `${colour} ${share(from) * 100}% ${share(to) * 100}%`
    let known = start
    const stops = spans.flatMap(({ from, to, isActive }) => {
      const before = stop('transparent', known, from)
      known = to
      return [before, stop(isActive ? 'var(--accent)' : 'var(--line)', from, to)]
    })
    this.#band.style.backgroundImage = `linear-gradient(to right, ${[...stops, stop('transparent', known, end)].join()}, transparent)`
  }

  #toggle(): void {
    if (this.#playback.isPlaying) this.#playback.pause()
    else this.#playback.play()
  }

  #setSpeed(speed: number): void {
    this.#speed.value = String(speed)
    this.#playback.speed = speed
  }

  #setSkip(skips: boolean): void {
    this.#skip.checked = skips
    this.#playback.skipsIdle = skips
  }

  #toggleFullScreen(): void {
    // Refused where a frame does not allow it.
    const change = document.fullscreenElement ? document.exitFullscreen() : this.#stage.requestFullscreen()
    change.catch(() => undefined)
  }

  #faster(steps: number): void {
    const next = SPEEDS[SPEEDS.indexOf(Number(this.#speed.value)) + steps]
    if (next !== undefined) this.#setSpeed(next)
  }

  #press(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ' ': () => this.#toggle(),
      ArrowLeft: () => this.#playback.seek(this.#playback.time - STEP_MS),
      ArrowRight: () => this.#playback.seek(this.#playback.time + STEP_MS),
      ',': () => this.#faster(-1),
      '.': () => this.#faster(1),
      s: () => this.#setSkip(!this.#skip.checked),
      f: () => this.#toggleFullScreen(),
    }
    const action = actions[event.key]
    if (!action || !isOurs(event)) return
    event.preventDefault()
    action()
  }
}
