/** Who is told whether a store on another machine answers: once when it does not, however much fails meanwhile. */
export interface PresenceParts {
  /** It has stopped answering; what was said first. */
  away(words: string): void
  /** It answers again. */
  back(): void
}

export const NOBODY_IS_TOLD: PresenceParts = { away() {}, back() {} }

/** Whether a store answers, as its requests find it. Before the first answer nobody waits to be told. */
export class Standing {
  readonly #parts: PresenceParts
  #is: 'new' | 'answers' | 'away' = 'new'

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  answered(): void {
    if (this.#is === 'away') this.#parts.back()
    this.#is = 'answers'
  }

  /** A request failed because the store is away; `words` say how. */
  failed(words: string): void {
    if (this.#is === 'answers') this.#parts.away(words)
    if (this.#is !== 'new') this.#is = 'away'
  }
}
