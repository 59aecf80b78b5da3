/**
 * Look-ups of one turn of the event loop that differ in their values only are one statement, which has a list for each
 * value: one round trip, however many ask. A single one runs as it is. Who asks while a statement is under way waits for
 * its answer, and goes together with all who do.
 */
import { StoreUnavailable } from '../../../lib/errors.ts'
import type { Connection } from '../connection.ts'
import { namedQuery, type Queries, runNamed } from './connections/clients.ts'
import type { Borrowed } from './connections/pool.ts'

/** Connections: any that is free, or one for a while. */
interface Source {
  any: Queries
  borrow(): Promise<Pick<Borrowed, 'giveBack'> & { queries: Queries }>
}

/** Look-ups that one statement answers. */
const MOST = 500

/** After so long nobody waits for a statement that is under way any more. */
const SLOW_MS = 20

interface Asked {
  values: unknown[]
  resolve: (rows: never[]) => void
  reject: (error: unknown) => void
}

/** The statement for lists; null for one that cannot have them. */
type Gathered = string | null

const isRead = (text: string): boolean => text.startsWith('select ')

/** The rows that each look-up would have found, in its order, after its place and theirs. */
function gather(text: string, types: string[]): Gathered {
  // A list of lists could not be told from a longer one.
  if (types.length === 0 || types.some((type) => type.endsWith('[]'))) return null
  const lists = types.map((type, place) => `$${place + 1}::${type}[]`)
  const names = types.map((_, place) => `value${place + 1}`)
  const one = text.replaceAll(/'[^']*'|\$(\d+)/g, (part, value) => (value ? `asked_for.value${value}` : part))
  return `select asked_for.place_asked, found_for.*
    from unnest(${lists.join()}) with ordinality as asked_for (${names.join()}, place_asked)
    cross join lateral (select row_number() over () as place_found, one_of.* from (${one}) as one_of) as found_for
    order by place_asked, place_found`
}

/** The engine knows of what types the values are, once the statement is prepared, which its first run does. */
async function typesOf(source: Source, text: string, values: unknown[]): Promise<string[]> {
  const { queries, giveBack } = await source.borrow()
  let isUsable = false
  try {
    await runNamed(queries, text, values)
    const asked = 'select parameter_types::text[] as types from pg_prepared_statements where name = $1'
    const { rows } = await queries.query<{ types: string[] }>(asked, [namedQuery(text, []).name])
    isUsable = true
    return rows[0]?.types ?? []
  } finally {
    giveBack(isUsable)
  }
}

/** The rows of each look-up. */
async function answers({ any }: Source, statement: string, asked: Asked[]): Promise<never[][]> {
  const lists = (asked[0] as Asked).values.map((_, value) => asked.map(({ values }) => values[value]))
  const { rows, fields } = await any.query<unknown[]>({ ...namedQuery(statement, lists), rowMode: 'array' })
  const found: never[][] = asked.map(() => [])
  const [, , ...names] = fields.map(({ name }) => name)
  for (const [place, , ...cells] of rows) {
    const row: Record<string, unknown> = {}
    for (const [column, name] of names.entries()) row[name] = cells[column]
    found[(place as number) - 1]?.push(row as never)
  }
  return found
}

/** Those who ask the same. */
interface Line {
  waiting: Asked[]
  underWay: number
}

export function batchReads(source: Source): Connection['runPrepared'] {
  const statements = new Map<string, Gathered>()
  const lines = new Map<string, Line>()
  /** Those whose look-ups may be sent at the end of this turn. */
  let turn = new Map<string, Line>()
  const answerEach = async (text: string, asked: Asked[]): Promise<void> => {
    await Promise.all(
      asked.map(({ values, resolve, reject }) => runNamed<never>(source.any, text, values).then(resolve, reject)),
    )
  }
  const answerAll = async (text: string, asked: Asked[]): Promise<void> => {
    try {
      let statement = statements.get(text)
      if (statement === undefined) {
        statement = gather(text, await typesOf(source, text, (asked[0] as Asked).values))
        statements.set(text, statement)
      }
      if (statement === null) return await answerEach(text, asked)
      const found = await answers(source, statement, asked)
      for (const [place, { resolve }] of asked.entries()) resolve(found[place] as never[])
    } catch (error) {
      // The values of one must not make the others fail.
      if (!(error instanceof StoreUnavailable)) return answerEach(text, asked)
      for (const { reject } of asked) reject(error)
    }
  }
  const send = (text: string, line: Line): void => {
    const some = line.waiting.splice(0, MOST)
    line.underWay += 1
    let isAwaited = true
    const goOn = () => {
      clearTimeout(slow)
      if (!isAwaited) return
      isAwaited = false
      line.underWay -= 1
      if (line.waiting.length > 0) enterTurn(text, line)
    }
    const slow = setTimeout(goOn, SLOW_MS)
    const answered = some.length > 1 && isRead(text) ? answerAll(text, some) : answerEach(text, some)
    answered.finally(goOn)
  }
  const endTurn = (): void => {
    const entered = turn
    turn = new Map()
    for (const [text, line] of entered) {
      const isAlone = !isRead(text) || statements.get(text) === null
      while (line.waiting.length > 0 && (isAlone || line.underWay === 0)) send(text, line)
    }
  }
  const enterTurn = (text: string, line: Line): void => {
    if (turn.size === 0) setImmediate(endTurn)
    turn.set(text, line)
  }
  return (text, values) =>
    new Promise((resolve, reject) => {
      let line = lines.get(text)
      if (line === undefined) {
        line = { waiting: [], underWay: 0 }
        lines.set(text, line)
      }
      line.waiting.push({ values, resolve, reject })
      enterTurn(text, line)
    })
}
