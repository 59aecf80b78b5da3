import { describe, expect, it } from 'vitest'
import { createKeyedSerialQueue, createSerialQueue } from './serial-queue.ts'

/** Tasks that end when they are told to, and what has happened so far. */
function controlled() {
  const seen: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const task = (name: string) => () => {
    seen.push(`${name} begins`)
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (error) => {
        seen.push(`${name} ends`)
        if (error) reject(error)
        else resolve(name)
      })
    })
  }
  return { seen, task, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('A serial queue', () => {
  it('begins a task when the one before it has ended, and gives each its own result', async () => {
    const { seen, task, end } = controlled()
    const inTurn = createSerialQueue()
    const results = Promise.all([inTurn(task('a')), inTurn(task('b')), inTurn(task('c'))])
    await turn()
    expect(seen).toEqual(['a begins'])
    for (const name of ['a', 'b', 'c']) {
      end(name)
      await turn()
    }
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(await results).toEqual(['a', 'b', 'c'])
  })

  it('hands a failure to its own caller and goes on', async () => {
    const { task, end } = controlled()
    const inTurn = createSerialQueue()
    const failing = expect(inTurn(task('a'))).rejects.toThrow('no')
    const thrown = inTurn(() => {
      throw new Error('thrown')
    })
    const refused = expect(thrown).rejects.toThrow('thrown')
    const after = inTurn(async () => 'after')
    await turn()
    end('a', new Error('no'))
    await Promise.all([failing, refused])
    expect(await after).toBe('after')
  })

  it('keeps the order of thousands', async () => {
    const inTurn = createSerialQueue()
    const done: number[] = []
    const numbers = Array.from({ length: 5_000 }, (_, i) => i)
    await Promise.all(
      numbers.map((i) =>
        inTurn(async () => {
          if (i % 7 === 0) await turn()
          done.push(i)
        }),
      ),
    )
    expect(done).toEqual(numbers)
  })
})

describe('A keyed serial queue', () => {
  it('lets tasks of one key wait for each other, failed or not, and of others not', async () => {
    const { seen, task, end } = controlled()
    const inTurn = createKeyedSerialQueue()
    const failing = expect(inTurn('x', task('x1'))).rejects.toThrow('no')
    const second = inTurn('x', task('x2'))
    const other = inTurn('y', task('y1'))
    await turn()
    expect(seen).toEqual(['x1 begins', 'y1 begins'])
    end('x1', new Error('no'))
    await failing
    // A task that comes between the end of one and the end of all waits as well.
    const third = inTurn('x', task('x3'))
    await turn()
    expect(seen).toEqual(['x1 begins', 'y1 begins', 'x1 ends', 'x2 begins'])
    for (const name of ['x2', 'x3', 'y1']) {
      end(name)
      await turn()
    }
    expect(await Promise.all([second, third, other])).toEqual(['x2', 'x3', 'y1'])
  })
})
