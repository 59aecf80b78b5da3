/** What the app says of how long recordings are kept is what the server does. */
import { expect, it } from 'vitest'
import { RETENTION_DAYS } from '../../src/rules/recordings/recording.ts'
import { DAYS_KEPT } from '../../src/web/app/screens/replay/gone-words.ts'

it('recordings are kept for the same days', () => {
  expect(DAYS_KEPT).toEqual(RETENTION_DAYS)
})
