/**
 * Reads one part of a query: each field by its type, null is the same as absent, and errors name the path, joined by
 * `__`. What the server does not compute is refused by name rather than ignored, because a chart that silently shows
 * something else is worse than none.
 */
import { type AppError, invalid } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { cutText, isLongerThan } from '../../lib/text/code-points.ts'

export const notSupported = (what: string, attr: string): AppError =>
  invalid(`${what} not supported.`, attr, 'not_supported')

/** The caller's text, cut. */
const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return `"${isLongerThan(text, 60) ? `${cutText(text, 60)}…` : text}"`
}

export class Node {
  readonly path: string
  readonly #fields: JsonObject

  constructor(fields: unknown, path: string) {
    if (!isJsonObject(fields)) throw invalid('Expected an object.', path)
    this.#fields = fields
    this.path = path
  }

  attr(name: string): string {
    return `${this.path}__${name}`
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  /** Undefined when it is absent or null. */
  raw(name: string): unknown {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined
    return value === null ? undefined : value
  }

  text(name: string): string | null {
    const value = this.raw(name)
    if (value === undefined) return null
    if (typeof value !== 'string') throw invalid('Not a valid string.', this.attr(name))
    return value
  }

  /** Whether it is set to true. */
  isOn(name: string): boolean {
    const value = this.raw(name)
    if (value === undefined) return false
    if (typeof value !== 'boolean') throw invalid('Must be a valid boolean.', this.attr(name))
    return value
  }

  integer(name: string, bounds: { min: number; max: number }): number | null {
    const value = this.raw(name)
    if (value === undefined) return null
    const { min, max } = bounds
    if (!Number.isInteger(value)) throw invalid('A valid integer is required.', this.attr(name))
    if ((value as number) < min || (value as number) > max) {
      throw invalid(`Must be between ${min} and ${max}.`, this.attr(name))
    }
    return value as number
  }

  /** One of the supported values; others are refused by name. */
  choice<const T extends string>(name: string, known: readonly T[]): T | null {
    const text = this.text(name)
    if (text === null) return null
    const found = known.find((item) => item === text)
    if (found === undefined) {
      throw invalid(
        `${quoted(text)} is not supported; use one of: ${known.join(', ')}.`,
        this.attr(name),
        'not_supported',
      )
    }
    return found
  }

  /** An empty node when it is absent or null. */
  child(name: string): Node {
    return new Node(this.raw(name) ?? {}, this.attr(name))
  }

  children(name: string): Node[] {
    const value = this.raw(name)
    if (value === undefined) return []
    if (!Array.isArray(value)) throw invalid('Expected a list of items.', this.attr(name), 'not_a_list')
    return value.map((item, index) => new Node(item, `${this.attr(name)}__${index}`))
  }

  /** Refuses fields that would change the answer in an unsupported way. Empty lists and `false` have no effect. */
  refuse(names: Record<string, string>): void {
    for (const [name, what] of Object.entries(names)) {
      const value = this.raw(name)
      const hasNoEffect =
        value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
      if (!hasNoEffect) throw notSupported(what, this.attr(name))
    }
  }
}
