import { expect, it } from 'vitest'
import { timeOf, zoneOf } from './clock.ts'

const START = Date.parse('2026-03-04T10:00:00Z')

it('is from the start, or of the project, or UTC', () => {
  const at = (clock: 'start' | 'project' | 'utc') => timeOf(START + 7_000, START, zoneOf(clock, 'Europe/Berlin'))
  expect([at('start'), at('project'), at('utc')]).toEqual(['0:07', '11:00:07', '10:00:07'])
})
