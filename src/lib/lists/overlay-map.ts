/** Entries in addition to those of another map, which stays as it is: only the additional ones are iterated. */
export class OverlayMap<K, V> extends Map<K, V> {
  readonly #below: ReadonlyMap<K, V>
  constructor(below: ReadonlyMap<K, V>) {
    super()
    this.#below = below
  }

  override get(key: K): V | undefined {
    return super.has(key) ? super.get(key) : this.#below.get(key)
  }

  override has(key: K): boolean {
    return super.has(key) || this.#below.has(key)
  }

  /** Adds its entries to the map below. */
  static merge<K, V>(into: Map<K, V>, overlay: OverlayMap<K, V>): void {
    for (const [key, value] of overlay) into.set(key, value)
  }
}
