import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { HeapGrowth } from './heap-growth.ts'

it('bounds the growth of heaps while the process is large, and only then', () => {
  const flags: string[] = []
  let megabytes = 0
  const growth = new HeapGrowth({ memory: () => megabytes * 1e6, setFlag: (flag) => void flags.push(flag) })
  const seen = [150, 390, 401, 500, 390, 340, 320, 390, 410].map((now) => {
    megabytes = now
    growth.look()
    return flags.length
  })
  expect(seen).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 3])
  expect(flags).toEqual(['--heap-growing-percent=30', '--heap-growing-percent=0', '--heap-growing-percent=30'])
})

it('is a flag that this Node knows', () => {
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain('--heap-growing-percent')
})
