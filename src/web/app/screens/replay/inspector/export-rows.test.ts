import { expect, it } from 'vitest'
import { fileOf } from './export-rows.ts'
import type { InspectorRow } from './inspector-rows.ts'

const row: InspectorRow = { id: '1', kind: 'error', timestamp: 3_500, text: '=1+"a"\nb', about: '' }

it('is JSON with times from the start', () => {
  expect(JSON.parse(fileOf([row], 1_000, 'json'))).toEqual([
    {
      kind: 'error',
      timestamp: '1970-01-01T00:00:03.500Z',
      seconds: 2.5,
      text: '=1+"a"\nb',
      page: null,
      method: null,
      status: null,
      milliseconds: null,
    },
  ])
})

it('is CSV that no spreadsheet runs and no line breaks', () => {
  const lines =
    'kind,timestamp,seconds,text,page,method,status,milliseconds\r\n"error","1970-01-01T00:00:03.500Z",2.5,"\'=1+""a""\nb",,,,\r\n'
  expect(fileOf([row], 1_000, 'csv')).toBe(lines)
})
