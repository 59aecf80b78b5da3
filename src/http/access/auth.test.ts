import { describe, expect, it } from 'vitest'
import { createKeyHasher } from './auth.ts'

describe('the hash of a request’s key', () => {
  const hashed: string[] = []
  const hashOf = createKeyHasher({
    hashKey: (key) => {
      hashed.push(key)
      return `#${key}`
    },
  })
  const ask = (socket: object, authorization?: string) => hashOf({ headers: { authorization }, socket })

  it('is made once for the requests of a connection that send the same header', () => {
    const [one, other] = [{}, {}]
    expect([ask(one, 'Bearer a'), ask(one, 'Bearer a'), ask(other, 'Bearer a')]).toEqual(['#a', '#a', '#a'])
    expect(hashed.splice(0)).toEqual(['a', 'a'])
  })
  it('follows the header of each request, whatever the connection sent before', () => {
    const socket = {}
    const headers = ['Bearer a', 'Bearer b', undefined, 'Basic b', 'Bearer b', 'Bearer  b', 'Bearer']
    expect(headers.map((header) => ask(socket, header))).toEqual(['#a', '#b', null, null, '#b', '#b', null])
  })
})
