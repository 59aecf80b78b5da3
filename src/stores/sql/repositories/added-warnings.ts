/**
 * How many warnings a project got since those beyond its limit were last removed, as far as this process knows. Each
 * transaction counts its own, which are added to the others' after its commit: several may run at once.
 */
interface Own {
  added: number
  /** How many of the others' its removal dealt with. */
  removedAt: number
}

/** Fewer than there were: another removal has dealt with those. */
const since = (all: number, removedAt: number): number => (all < removedAt ? all : all - removedAt)

export class AddedWarnings {
  readonly #all: Map<number, number>
  readonly #own = new Map<number, Own>()

  constructor(all = new Map<number, number>()) {
    this.#all = all
  }

  /** For a transaction. */
  begin(): AddedWarnings {
    return new AddedWarnings(this.#all)
  }

  /** How many there are with these; null: as many as there may be, as nothing is known of the project yet. */
  add(projectId: number, count: number): number | null {
    const { added, removedAt } = this.#own.get(projectId) ?? { added: 0, removedAt: 0 }
    const isKnown = this.#all.has(projectId) || this.#own.has(projectId)
    this.#own.set(projectId, { added: added + count, removedAt })
    return isKnown ? since(this.#all.get(projectId) ?? 0, removedAt) + added + count : null
  }

  /** Those beyond the limit were removed. */
  removed(projectId: number): void {
    this.#own.set(projectId, { added: 0, removedAt: this.#all.get(projectId) ?? 0 })
  }

  /** After the commit. */
  merge(): void {
    for (const [projectId, { added, removedAt }] of this.#own) {
      this.#all.set(projectId, since(this.#all.get(projectId) ?? 0, removedAt) + added)
    }
  }
}
