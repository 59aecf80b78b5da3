/** Of items that come in any order the first few of another order, without keeping them all. */
import { sortInSlices } from './sort-in-slices.ts'

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
    if (this.#keep(item)) this.#cut()
  }

  /** The same where others wait for the thread. A promise has to be awaited before anything else is asked or added. */
  addInSlices(item: T): Promise<void> | null {
    return this.#keep(item) ? this.#cutInSlices() : null
  }

  /** Those of all that came until now, in order. */
  get items(): T[] {
    this.#cut()
    return this.#kept
  }

  async itemsInSlices(): Promise<T[]> {
    await this.#cutInSlices()
    return this.#kept
  }

  /** The last of them; undefined while there are fewer than asked for. */
  get last(): T | undefined {
    return this.#kept.length < this.#count ? undefined : this.items.at(this.#count - 1)
  }

  /** Whether so many are kept now that they should be sorted. */
  #keep(item: T): boolean {
    if (this.#bound !== undefined && this.#compare(item, this.#bound) >= 0) return false
    return this.#kept.push(item) >= 2 * this.#count + SPARE
  }

  #cut(): void {
    this.#take(this.#kept.sort(this.#compare))
  }

  async #cutInSlices(): Promise<void> {
    this.#take(await sortInSlices(this.#kept, this.#compare))
  }

  #take(sorted: T[]): void {
    this.#kept = sorted.slice(0, this.#count)
    if (sorted.length >= this.#count) this.#bound = this.#kept.at(-1)
  }
}
