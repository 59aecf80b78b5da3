/** Which links reports have: none without a public address, and none to an app that is not served. */
import { expect, it } from 'vitest'
import { linksFrom } from './report-links.ts'

it('has pages of the app where it is served under a public address, whose path comes first', () => {
  expect(linksFrom('https://a.example/stats', true).pages(7)).toEqual([
    { text: 'People', url: 'https://a.example/stats/project/7/persons' },
    { text: 'Replays', url: 'https://a.example/stats/project/7/replay/home' },
  ])
  expect(linksFrom('https://a.example/stats', false).pages(7)).toEqual([])
  expect(linksFrom(null, true).pages(7)).toEqual([])
})
