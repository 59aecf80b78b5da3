import { expect, it } from 'vitest'
import { groupCommits } from './group-commit.ts'

/** A store that keeps what was written by transactions that held. */
function makeStore() {
  const commits: string[][] = []
  const commit = groupCommits<string[]>(async (work) => {
    const tx: string[] = []
    await work(tx)
    commits.push(tx)
  })
  const write = (word: string) =>
    commit(async (tx) => {
      if (word === 'bad') throw new Error(word)
      return tx.push(word)
    })
  return { commits, write }
}

it('commits together what comes together, and gives each its own', async () => {
  const { commits, write } = makeStore()
  expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual([1, 2, 3])
  expect(commits).toEqual([['a', 'b', 'c']])
})

it('lets one that throws sink alone: nothing of the others is lost or there twice', async () => {
  const { commits, write } = makeStore()
  const ended = await Promise.allSettled(['a', 'bad', 'c'].map(write))
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(commits).toEqual([['a'], ['c']])
})

it('is done only when the commit has held', async () => {
  let hold = () => {}
  const held = new Promise<void>((resolve) => {
    hold = resolve
  })
  const done: string[] = []
  const commit = groupCommits<null>(async (work) => {
    await work(null)
    done.push('written')
    await held
    done.push('held')
  })
  const writing = commit(async () => {}).then(() => done.push('answered'))
  await expect.poll(() => done).toEqual(['written'])
  hold()
  await writing
  expect(done).toEqual(['written', 'held', 'answered'])
})
