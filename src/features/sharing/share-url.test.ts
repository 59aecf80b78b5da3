import { expect, it } from 'vitest'
import { shareUrl } from './share-url.ts'

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
})
