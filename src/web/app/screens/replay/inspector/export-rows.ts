/** What the list shows, as a file: times as the API writes them, and in seconds from the start. */
import { noFormula } from '../../../../../lib/text/no-formula.ts'
import type { InspectorRow } from './inspector-rows.ts'

export type FileKind = 'csv' | 'json'

const TYPES: Record<FileKind, string> = { csv: 'text/csv', json: 'application/json' }

const COLUMNS = ['kind', 'timestamp', 'seconds', 'text', 'page', 'method', 'status', 'milliseconds'] as const

const recordOf = ({ kind, timestamp, text, about, method, status, milliseconds }: InspectorRow, start: number) => ({
  kind,
  timestamp: new Date(timestamp).toISOString(),
  seconds: (timestamp - start) / 1_000,
  text,
  page: kind === 'event' ? about : null,
  method: method ?? null,
  status: status ?? null,
  milliseconds: milliseconds ?? null,
})

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : `"${noFormula(value).replaceAll('"', '""')}"`
}

export function fileOf(rows: readonly InspectorRow[], start: number, kind: FileKind): string {
  const records = rows.map((row) => recordOf(row, start))
  if (kind === 'json') return JSON.stringify(records, null, 2)
  const lines = records.map((record) => COLUMNS.map((name) => cellOf(record[name])).join())
  return [COLUMNS.join(), ...lines, ''].join('\r\n')
}

export function saveFile(text: string, kind: FileKind, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: TYPES[kind] }))
  const link = Object.assign(document.createElement('a'), { href: address, download: `${name}.${kind}` })
  link.click()
  URL.revokeObjectURL(address)
}
