import { expect, it } from 'vitest'
import { replayUrl, shareUrl } from './share-url.ts'

it.each([
  ['http://localhost:8000/api/environments/1/session_recordings/s/sharing/', 'http://localhost:8000/shared/t'],
  [
    'http://localhost:8000/api/projects/@current/session_recordings/s/sharing?x=/api/',
    'http://localhost:8000/shared/t',
  ],
  ['https://a.example/hr/api/environments/1/session_recordings/api/sharing/refresh/', 'https://a.example/hr/shared/t'],
  ['https://a.example/api/x/api/environments/1/session_recordings/s%2F/sharing/', 'https://a.example/api/x/shared/t'],
])('%s leads to %s', (request, page) => {
  expect(shareUrl(new URL(request), 't')).toBe(page)
  expect(replayUrl(new URL(request), 7, 'a b/c')).toBe(page.replace('/shared/t', '/project/7/replay/a%20b%2Fc'))
})
