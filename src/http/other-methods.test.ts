import { describe, expect, it } from 'vitest'
import { createFindPath, type OtherMethods } from './other-methods.ts'

const known = (path: string, ...methods: string[]): OtherMethods => ({
  path,
  methods,
  onRequest: (_request, _reply, done) => done(),
  answerOptions: (_request, reply) => reply,
})

const find = createFindPath([
  known('/api/:project_id/persons/:id/', 'PUT', 'OPTIONS'),
  known('/api/:project_id/persons/values/', 'POST', 'OPTIONS'),
  known('/api/:project_id/persons/', 'DELETE', 'OPTIONS'),
])
const found = (method: string, url: string) => {
  const { known: at, params } = find(method, url) ?? {}
  return at === undefined ? null : [at.path, params]
}

describe('the path of a method that it does not have', () => {
  it('is found with its parameters, decoded', () => {
    expect(found('OPTIONS', '/api/1/persons/')).toEqual(['/api/:project_id/persons/', { project_id: '1' }])
    const params = { project_id: '1', id: 'a/b c' }
    expect(found('PUT', '/api/1/persons/a%2Fb%20c/')).toEqual(['/api/:project_id/persons/:id/', params])
  })

  it.each(['/api/1/persons', '/api/1/persons?limit=1', '/api/1/persons/?a=/b/', '/api/1/persons/#c'])(
    'is the same as %s',
    (url) => {
      expect(found('DELETE', url)).toEqual(['/api/:project_id/persons/', { project_id: '1' }])
    },
  )

  it('is what is spelled out before what is a parameter', () => {
    expect(found('POST', '/api/1/persons/values/')).toEqual(['/api/:project_id/persons/values/', { project_id: '1' }])
    // Not those of the other path.
    expect(found('PUT', '/api/1/persons/values/')).toBeNull()
  })

  it.each([
    ['GET', '/api/1/persons/'],
    ['OPTIONS', '/api//persons/'],
    ['OPTIONS', '/api/1/persons//'],
    ['OPTIONS', '/api/1/people/'],
    ['OPTIONS', '/api/1/'],
    ['OPTIONS', '/API/1/persons/'],
    ['OPTIONS', '/api/%E0%A4%A/persons/'],
    ['OPTIONS', '/'],
    ['OPTIONS', '*'],
    ['OPTIONS', ''],
  ])('is none for %s %s', (method, url) => {
    expect(found(method, url)).toBeNull()
  })
})
