import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { randomBase62, readId, readUuid, uuidV5, uuidV7 } from './ids.ts'

describe('uuidV5', () => {
  it.each([
    ['1:user_1', '131ecd7b-7aa1-5121-8fd3-5353d39dd23e'],
    ['1:user_2', 'c041fad4-d67c-5405-b2e1-54583fbab2a3'],
    ['42:a:b', '628a100c-f56d-5e9b-beb2-d1e43eae51a7'],
    ['1:anon-é', '4a69009a-2b43-59ab-b16b-242590574727'],
    ['1:user_2:split', '968f6b81-60ee-5b01-880d-04945d03a769'],
  ])('names %s', (name, uuid) => {
    expect(uuidV5('932979b4-65c3-4424-8467-0b66ec27bc22', name)).toBe(uuid)
  })

  it('is as the standard writes it out, for thousands of names in namespaces that take turns', () => {
    for (let n = 0; n < 4_000; n++) {
      const namespace = randomUUID()
      const name = `${n}:${'é𝄞'.repeat(n % 7)}`
      for (const within of [namespace, '932979b4-65c3-4424-8467-0b66ec27bc22', namespace]) {
        const bytes = createHash('sha1').update(within.replaceAll('-', ''), 'hex').update(name).digest().subarray(0, 16)
        bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
        bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
        expect(uuidV5(within, name).replaceAll('-', '')).toBe(bytes.toString('hex'))
      }
    }
  })
})

describe('uuidV7', () => {
  it('sorts by time and is well formed', () => {
    const [early, late] = [uuidV7(1_000), uuidV7(2_000)]
    expect(early < late).toBe(true)
    expect(late).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('uuidV7 within one millisecond', () => {
  it('sorts by the order of making', () => {
    const made = Array.from({ length: 10_000 }, () => uuidV7(5_000))
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(10_000)
  })
})

describe('readUuid', () => {
  const canonical = '131ecd7b-7aa1-5121-8fd3-5353d39dd23e'
  it.each([
    canonical,
    canonical.toUpperCase(),
    canonical.replaceAll('-', ''),
    `{${canonical}}`,
    `urn:uuid:${canonical}`,
  ])('reads %s', (text) => expect(readUuid(text)).toBe(canonical))
  it.each(['', '131ecd7b', `${canonical}0`, 'zzzecd7b-7aa1-5121-8fd3-5353d39dd23e'])('refuses %j', (text) =>
    expect(readUuid(text)).toBeNull(),
  )
})

describe('readId', () => {
  it.each([
    ['0', 0],
    ['42', 42],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
  ])('reads %s', (text, id) => expect(readId(text)).toBe(id))
  it.each(['', ' 1', '1.0', '-1', '+1', '1e3', '0x1', 'abc', '１', '1\n', '1000000000000000'])(
    'takes %j for an id that nothing has',
    (text) => expect(readId(text)).toBe(-1),
  )
})

it('makes secrets of constant length from the 62 characters', () => {
  expect(randomBase62(256)).toMatch(/^[0-9A-Za-z]{43}$/)
  expect(randomBase62(256)).not.toBe(randomBase62(256))
})
