/**
 * Counts and checksums of rows, by table and project, that are the same whichever engine the rows come from and in whatever
 * order: the sum of a hash of each row. They are kept with the progress of a copy, so that one that goes on need not begin
 * again.
 */
import { hash } from 'node:crypto'

/** Of 32 bits each; every one is summed by itself. */
const LANES = 4
const LANE_BYTES = 4

interface Sum {
  rows: number
  lanes: Uint32Array
}

/** As text: the count, and the sum in hexadecimal digits. */
export type WrittenSums = Record<string, Record<string, [rows: number, sum: string]>>

/** Of rows that belong to no project. */
export const NO_PROJECT = 0

const textOf = (lanes: Uint32Array): string => Array.from(lanes, (lane) => lane.toString(16).padStart(8, '0')).join('')

const lanesOf = (text: string): Uint32Array =>
  Uint32Array.from({ length: LANES }, (_, lane) => Number.parseInt(text.slice(lane * 8, lane * 8 + 8), 16))

/** Only for half of a pair does `JSON.stringify` write one of these. */
const HALF_PAIR = /\\ud[89a-f][0-9a-f]{2}/g

/** JSON as every engine returns it: one that keeps bytes has another character for half of a pair. */
export const sameJson = (json: string): string =>
  json.includes('\\ud') ? JSON.stringify(JSON.parse(json)).replace(HALF_PAIR, '\ufffd') : json

/** A value as JSON that says the same of it on every engine. */
const cell = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)

export class Sums {
  readonly #tables = new Map<string, Map<number, Sum>>()

  static read(written: WrittenSums): Sums {
    const sums = new Sums()
    for (const [table, projects] of Object.entries(written)) {
      for (const [project, [rows, sum]] of Object.entries(projects)) {
        Object.assign(sums.#sumOf(table, Number(project)), { rows, lanes: lanesOf(sum) })
      }
    }
    return sums
  }

  /** A row, by its values in an order that is always the same. */
  add(table: string, projectId: number, values: unknown[]): void {
    const digest = hash('sha256', JSON.stringify(values.map(cell)), 'buffer')
    const sum = this.#sumOf(table, projectId)
    sum.rows += 1
    for (let lane = 0; lane < LANES; lane++) {
      sum.lanes[lane] = (sum.lanes[lane] as number) + digest.readUInt32BE(lane * LANE_BYTES)
    }
  }

  write(): WrittenSums {
    const tables = [...this.#tables].map(([table, projects]) => {
      const sums = [...projects].map(([project, { rows, lanes }]) => [project, [rows, textOf(lanes)]])
      return [table, Object.fromEntries(sums)]
    })
    return Object.fromEntries(tables)
  }

  #sumOf(table: string, projectId: number): Sum {
    const projects = this.#tables.get(table) ?? new Map<number, Sum>()
    this.#tables.set(table, projects)
    const sum = projects.get(projectId) ?? { rows: 0, lanes: new Uint32Array(LANES) }
    projects.set(projectId, sum)
    return sum
  }
}

export interface ComparedSum {
  table: string
  /** `NO_PROJECT`: rows that belong to none. */
  projectId: number
  source: { rows: number; sum: string }
  target: { rows: number; sum: string }
  isSame: boolean
}

const NOTHING: [number, string] = [0, '0'.repeat(LANES * 8)]

/** Side by side, by table in the order of the source, then by project. */
export function compareSums(source: WrittenSums, target: WrittenSums): ComparedSum[] {
  const tables = [...new Set([...Object.keys(source), ...Object.keys(target)])]
  return tables.flatMap((table) => {
    const [ofSource, ofTarget] = [source[table] ?? {}, target[table] ?? {}]
    const projects = [...new Set([...Object.keys(ofSource), ...Object.keys(ofTarget)])].map(Number)
    return projects
      .sort((a, b) => a - b)
      .map((projectId) => {
        const [a, b] = [ofSource[projectId] ?? NOTHING, ofTarget[projectId] ?? NOTHING]
        return {
          table,
          projectId,
          source: { rows: a[0], sum: a[1] },
          target: { rows: b[0], sum: b[1] },
          isSame: a[0] === b[0] && a[1] === b[1],
        }
      })
  })
}

/** How many rows were summed. */
export const rowsIn = (sums: WrittenSums): number =>
  Object.values(sums)
    .flatMap((projects) => Object.values(projects))
    .reduce((all, [rows]) => all + rows, 0)

/** Told how much was done since it was last called; `earlier`: by a copy that was cut off. */
export type Progress = (done: number, earlier?: boolean) => void
