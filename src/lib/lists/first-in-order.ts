/** Of items that come in any order the first few of another order, without keeping them all. */

/** So many more than asked for are kept between two sorts. */
const SPARE = 5_000

export class FirstInOrder<T> {
  readonly #count: number
  readonly #compare: (a: T, b: T) => number
  #kept: T[] = []
  /** The last that was kept when there were more than enough: what comes after it need not be kept. */
  #bound: T | undefined

  constructor(count: number, compare: (a: T, b: T) => number) {
    this.#count = count
    this.#compare = compare
  }

  add(item: T): void {
    if (this.#bound !== undefined && this.#compare(item, this.#bound) >= 0) return
    this.#kept.push(item)
    if (this.#kept.length >= 2 * this.#count + SPARE) this.#cut()
  }

  /** Those of all that came until now, in order. */
  get items(): T[] {
    this.#cut()
    return this.#kept
  }

  /** The last of them; undefined while there are fewer than asked for. */
  get last(): T | undefined {
    return this.#kept.length < this.#count ? undefined : this.items.at(this.#count - 1)
  }

  #cut(): void {
    const isFull = this.#kept.length >= this.#count
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#count)
    if (isFull) this.#bound = this.#kept.at(-1)
  }
}
