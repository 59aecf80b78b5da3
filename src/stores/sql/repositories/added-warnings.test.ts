import { expect, it } from 'vitest'
import { AddedWarnings } from './added-warnings.ts'

const PROJECT = 1

it('counts those of a transaction after its commit, of several at once too', () => {
  const all = new AddedWarnings()
  const first = all.begin()
  expect(first.add(PROJECT, 3)).toBeNull()
  first.removed(PROJECT)
  expect(first.add(PROJECT, 2)).toBe(2)
  first.merge()
  const [one, other, rolledBack] = [all.begin(), all.begin(), all.begin()]
  expect(one.add(PROJECT, 10)).toBe(12)
  expect(other.add(PROJECT, 20)).toBe(22)
  expect(rolledBack.add(PROJECT, 5)).toBe(7)
  one.merge()
  expect(other.add(PROJECT, 1)).toBe(33)
  other.merge()
  expect(all.begin().add(PROJECT, 1)).toBe(34)
  expect(all.begin().add(2, 1)).toBeNull()
})

it('keeps what others added while it removed those beyond the limit', () => {
  const all = new AddedWarnings(new Map([[PROJECT, 499]]))
  const [remover, other] = [all.begin(), all.begin()]
  expect(remover.add(PROJECT, 1)).toBe(500)
  remover.removed(PROJECT)
  expect(other.add(PROJECT, 7)).toBe(506)
  other.merge()
  expect(remover.add(PROJECT, 2)).toBe(9)
  remover.merge()
  expect(all.begin().add(PROJECT, 0)).toBe(9)
})

it('keeps what two that removed at once added since', () => {
  const all = new AddedWarnings(new Map([[PROJECT, 499]]))
  const both = [all.begin(), all.begin()]
  for (const each of both) {
    each.add(PROJECT, 1)
    each.removed(PROJECT)
    each.add(PROJECT, 4)
  }
  for (const each of both) each.merge()
  expect(all.begin().add(PROJECT, 0)).toBe(8)
})
