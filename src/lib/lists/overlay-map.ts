/** Entries in addition to those of another map, which stays as it is until they are added to it; only they are iterated. */
export class OverlayMap<K, V> extends Map<K, V> {
  readonly #below: Map<K, V>
  constructor(below: Map<K, V>) {
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
  merge(): void {
    for (const [key, value] of this) this.#below.set(key, value)
  }
}
