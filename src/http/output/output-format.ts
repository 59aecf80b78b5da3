/** `?format=csv|json` (or `Accept: text/csv`) on routes that offer it. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { csvOfAll, csvOfRows, type Pages } from '../../lib/text/csv.ts'
import { type Answer, type CsvSpec, rawAnswer } from '../route.ts'
import { Choice } from '../schema.ts'

export const formatQuery = {
  format: Type.Optional(Choice(['csv', 'json'], { description: 'Form of the answer; JSON unless asked for CSV.' })),
}

export function formatOf(request: FastifyRequest): 'json' | 'csv' {
  const { format } = request.query as { format?: 'json' | 'csv' }
  if (format !== undefined) return format
  return /^\s*text\/csv\b/i.test(request.headers.accept ?? '') ? 'csv' : 'json'
}

const csvHeaders = (fileName: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${fileName}.csv"`,
})

const CSV_TYPE = 'text/csv; charset=utf-8'

/** The CSV form of a JSON answer. */
export function csvAnswer(spec: CsvSpec, body: unknown): Answer {
  const rows = spec.rows(body as never) as Record<string, unknown>[]
  return rawAnswer(csvOfRows(rows, spec.columns), CSV_TYPE, csvHeaders(spec.fileName))
}

/** A CSV holds the whole list unless a page is requested; `paging`: the values of the paging parameters. */
export const isWhole = (format: 'json' | 'csv', ...paging: unknown[]): boolean =>
  format === 'csv' && paging.every((value) => value === undefined)

/** A whole list as CSV, read while it is sent. */
export const wholeCsv = ({ fileName, columns }: Omit<CsvSpec, 'rows'>, pages: Pages): Answer =>
  rawAnswer(csvOfAll(pages, columns), CSV_TYPE, csvHeaders(fileName))
