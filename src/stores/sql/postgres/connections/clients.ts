/**
 * Connections to PostgreSQL. Values come as they do from SQLite: numbers as numbers, whatever their size, and booleans
 * as 1 and 0.
 */
import {
  type ColumnDefinitionNode,
  type CompiledQuery,
  type DatabaseConnection,
  DataTypeNode,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
} from 'kysely'
import type pg from 'pg'
import type { Tables } from '../../tables.ts'

/** Numbers of the engine's types: int8 and numeric, bool. */
const NUMBERS: readonly number[] = [20, 1700]
const BOOL = 16

/** How the values of a row are read; `types` is the library's own way. */
export const rowTypes = (types: pg.CustomTypesConfig): pg.CustomTypesConfig => ({
  getTypeParser(type, format) {
    if (format !== 'binary' && NUMBERS.includes(type)) return Number
    if (format !== 'binary' && type === BOOL) return (text: string) => (text === 't' ? 1 : 0)
    return types.getTypeParser(type, format)
  },
})

/** Stands for a NUL, which the engine has in no text. What is stored has none either: this is for texts to compare with. */
const INSTEAD_OF_NUL = '\u{10ffff}\u{10fffe}\u{10ffff}'

function bindable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bindable)
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', INSTEAD_OF_NUL) : value
}

/** A client, or whatever runs statements as one. */
export type Queries = Pick<pg.ClientBase, 'query'>

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

async function execute<R>(client: Queries, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  const { command, rowCount, rows } = await client.query(sql, parameters.map(bindable))
  return CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows }
}

/** Statements that are prepared once on each connection, under a name of their own. */
const names = new Map<string, string>()

export function namedQuery(text: string, values: unknown[]): { name: string; text: string; values: unknown[] } {
  let name = names.get(text)
  if (name === undefined) {
    name = `h${names.size}`
    names.set(text, name)
  }
  return { name, text, values: values.map(bindable) }
}

export const runNamed = async <Row>(client: Queries, text: string, values: unknown[]): Promise<Row[]> =>
  (await client.query(namedQuery(text, values))).rows as Row[]

const noTransactions = async (): Promise<never> => {
  throw new Error('Transactions are made by the engine, not by a query builder.')
}

/** Each statement on whichever connection `client` is, or has free. */
const driverOf = (client: Queries): Driver => {
  const connection: DatabaseConnection = {
    executeQuery: (query) => execute(client, query),
    // biome-ignore lint/correctness/useYield: rows are read in portions instead
    async *streamQuery() {
      throw new Error('Rows are read in portions, not as a stream.')
    },
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    destroy: async () => {},
  }
}

/** What columns are here: texts are equal and sort by their bytes, and integers have as many bits as those of SQLite. */
const COLUMN_TYPES: Record<string, RawNode> = {
  text: RawNode.createWithSql('text collate "C"'),
  integer: RawNode.createWithSql('bigint'),
}

class QueryCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const { dataType } = node
    const own = DataTypeNode.is(dataType) ? COLUMN_TYPES[String(dataType.dataType)] : undefined
    super.visitColumnDefinition(own ? { ...node, dataType: own } : node)
  }
}

/** A query builder whose statements run on this client, or each on any of this pool. */
export const queriesOn = (client: Queries): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOf(client),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  })
