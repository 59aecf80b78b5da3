import { expect, it } from 'vitest'
import { eachInSlices, Slices } from './time-slices.ts'

/** Keeps the thread busy for longer than a slice. */
function busy(): void {
  const slice = new Slices()
  while (!slice.isOver);
}

it('does everything in order, and lets others in between', async () => {
  const done: string[] = []
  const long = eachInSlices([1, 2, 3], (item) => {
    busy()
    done.push(`long ${item}`)
  })
  const other = new Promise<void>((resolve) => {
    setImmediate(() => {
      done.push('other')
      resolve()
    })
  })
  await Promise.all([long, other])
  expect(done.filter((name) => name !== 'other')).toEqual(['long 1', 'long 2', 'long 3'])
  expect(done.indexOf('other')).toBeLessThan(done.indexOf('long 3'))
})

it('runs one slice of all such work in a turn', async () => {
  const turns: string[] = []
  let isRunning = true
  const tick = () => {
    turns.push('turn')
    if (isRunning) setImmediate(tick)
  }
  const works = ['a', 'b', 'c'].map((name) =>
    eachInSlices([1, 2, 3], () => {
      busy()
      turns.push(name)
    }),
  )
  setImmediate(tick)
  await Promise.all(works)
  isRunning = false
  const later = turns.slice(turns.indexOf('turn'))
  expect(later.join(' ')).not.toMatch(/[abc] [abc]/)
  expect(turns.filter((name) => name !== 'turn').sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'])
})

it('gives the next turn to work that others wait for', async () => {
  const order: string[] = []
  const rest = async (name: string, slices: Slices) => {
    await slices.rest()
    order.push(name)
  }
  const ordinary = ['a', 'b'].map((name) => rest(name, new Slices()))
  await Promise.all([...ordinary, rest('urgent', new Slices({ isUrgent: true })), rest('c', new Slices())])
  expect(order).toEqual(['urgent', 'a', 'b', 'c'])
})
