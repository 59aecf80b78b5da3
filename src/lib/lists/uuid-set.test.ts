import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UuidSet } from './uuid-set.ts'

const bytesOf = (uuids: string[]): Uint8Array =>
  Buffer.from(
    uuids
      .toSorted()
      .map((uuid) => uuid.replaceAll('-', ''))
      .join(''),
    'hex',
  )

/** Many of them have the same beginning, as ids of one time have. */
const uuid = fc
  .tuple(fc.constantFrom('00000000', '01890000', '7fffffff', '80000000', 'ffffffff'), fc.uuid(), fc.boolean())
  .map(([beginning, rest, isAlike]) => (isAlike ? `${beginning}-0000-7000-8000-00000000000${rest[0]}` : rest))

describe('UuidSet', () => {
  it('has what a set of texts has', () => {
    fc.assert(
      fc.property(fc.uniqueArray(uuid, { maxLength: 40 }), fc.array(uuid), (inside, asked) => {
        const set = new UuidSet(bytesOf(inside))
        expect(set.size).toBe(inside.length)
        expect(set.texts()).toEqual(inside.toSorted())
        expect(inside.filter((id) => !set.has(id))).toEqual([])
        expect(asked.map((id) => set.has(id))).toEqual(asked.map((id) => inside.includes(id)))
      }),
    )
  })

  const ID = '018f0a1b-2c3d-7e4f-8a5b-6c7d8e9fabcd'
  const set = new UuidSet(bytesOf([ID]))

  it('reads letters of either case', () => {
    expect([set.has(ID), set.has(ID.toUpperCase()), set.has(ID.replace('abcd', 'AbCd'))]).toEqual([true, true, true])
  })

  it.each(['', 'one', ID.replaceAll('-', ''), `{${ID}}`, `urn:uuid:${ID}`, ` ${ID}`, `${ID}\n`, `${ID}0`])(
    'does not have %j',
    (text) => {
      expect(set.has(text)).toBe(false)
    },
  )

  it('may be a part of a larger buffer', () => {
    const bytes = bytesOf([ID, '00000000-0000-7000-8000-000000000001'])
    const part = new UuidSet(bytes.subarray(16))
    expect(part.texts()).toEqual([ID])
    expect([part.has(ID), part.has('00000000-0000-7000-8000-000000000001')]).toEqual([true, false])
  })
})
