/**
 * Converts schemas for the API document: our own keywords are replaced by standard ones, and an object
 * with a `title` becomes a component that is referenced by that name.
 */

export type JsonSchema = Record<string, unknown>

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords whose value maps names to schemas; its keys are field names, not keywords. */
const MAPS = new Set(['properties', 'patternProperties', '$defs'])

export class SchemaBook {
  /** The components met so far. */
  readonly named: Record<string, JsonSchema> = {}

  /** The schema as the document has it: a reference when it has a name. */
  write(schema: object): JsonSchema {
    const written = this.#write(schema as JsonSchema)
    const { title } = written
    if (typeof title !== 'string') return written
    const known = this.named[title]
    if (known && JSON.stringify(known) !== JSON.stringify(written)) {
      throw new Error(`Two different schemas are called ${title}.`)
    }
    this.named[title] = written
    return { $ref: `#/components/schemas/${title}` }
  }

  #write(schema: JsonSchema): JsonSchema {
    const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-') && !name.startsWith('~'))
    const written = Object.fromEntries(entries.map(([name, value]) => [name, this.#value(name, value)]))
    return schema['x-date-time'] === true ? { ...written, format: 'date-time' } : written
  }

  #value(name: string, value: unknown): unknown {
    if (MAPS.has(name) && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([field, schema]) => [field, this.write(schema as object)]))
    }
    if (name === 'anyOf' || name === 'oneOf' || name === 'allOf') {
      return (value as object[]).map((branch) => this.write(branch))
    }
    if ((name === 'items' || name === 'additionalProperties') && isObject(value)) return this.write(value)
    return value
  }
}
