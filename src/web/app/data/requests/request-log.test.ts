import { beforeEach, expect, it } from 'vitest'
import { remember, requestLog } from './request-log.ts'

const send = (method: string, path: string, screen = '/start') =>
  remember(
    { method, url: `http://localhost${path}`, body: null },
    { screen, status: 200, ms: 1, bytes: null, requestId: null },
  )
const listed = () => requestLog.get().map(({ method, url, screen }) => `${method} ${new URL(url).pathname} ${screen}`)

beforeEach(() => requestLog.set(() => []))

it('has what is asked for again and again once, where it was asked last', () => {
  send('GET', '/api/a/')
  send('GET', '/api/b/')
  send('GET', '/api/a/')
  expect(listed()).toEqual(['GET /api/a/ /start', 'GET /api/b/ /start'])
})

it('has each change, and each screen for itself', () => {
  send('POST', '/api/a/')
  send('POST', '/api/a/')
  send('GET', '/api/a/')
  send('GET', '/api/a/', '/other')
  expect(listed()).toHaveLength(4)
})

it('never has what is nothing but secrets', () => {
  send('POST', '/api/login/')
  expect(listed()).toEqual([])
})
