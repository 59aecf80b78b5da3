/** `hedgerow outbox list|retry`, called within the test. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { outbox } from '../../src/cli/outbox.ts'
import { type CommandFolder, makeFolder } from '../support/command.ts'
import { makeParked, parkedEvent } from '../support/data-folder/parked.ts'

let folder: CommandFolder
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.end())

const park = (error: string) =>
  makeParked(
    { stores: folder.stores, clock: { now: () => Date.UTC(2026, 0, 1) } },
    { events: [parkedEvent('ann')], error },
  )

it('lists what is parked, the last first, an error on one line', async () => {
  expect(await folder.says(outbox, 'list')).toBe('No batch is parked.\n')
  const [a, b] = [await park('the door\nis shut'), await park('no')]
  expect(await folder.says(outbox, 'list')).toBe(
    [
      'ID                                    PROJECT  EVENTS  CHANGES  CREATED               PARKED                ERROR',
      `${b}  1        1       0        2026-01-01T00:00:00Z  2026-01-01T00:00:00Z  no`,
      `${a}  1        1       0        2026-01-01T00:00:00Z  2026-01-01T00:00:00Z  the door is shut`,
      '',
    ].join('\n'),
  )
})

it('puts one back into the outbox, or all', async () => {
  const ids = [await park('a'), await park('b'), await park('c')]
  expect(await folder.says(outbox, 'retry', ids[1] ?? '')).toBe('1 to be tried again.\n')
  expect(await folder.stores.outbox.pending()).toEqual([ids[1]])
  expect(await folder.says(outbox, 'retry', '--all')).toBe('2 to be tried again.\n')
  expect((await folder.stores.outbox.pending()).sort()).toEqual([...ids].sort())
  expect(await folder.says(outbox, 'retry', '--all')).toBe('0 to be tried again.\n')
})

it('says what it needs', async () => {
  expect(await folder.refuses(outbox)).toBe('Say "outbox list" or "outbox retry".')
  expect(await folder.refuses(outbox, 'retry')).toBe('outbox retry needs the id of a batch, or --all.')
  expect(await folder.refuses(outbox, 'retry', 'x', '--all')).toBe('outbox retry needs the id of a batch, or --all.')
  expect(await folder.refuses(outbox, 'retry', 'x')).toBe(
    'There is no parked batch x. "hedgerow outbox list" shows them.',
  )
})
