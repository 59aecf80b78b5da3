import { expect, it } from 'vitest'
import { makeByDomain, makeTrendRow } from '../../test/support/deliveries/results.ts'
import { pieOption } from './pie-option.ts'
import { themes } from './theme.ts'

const { light } = themes
const row = (name: string, value: number) => makeTrendRow({ name, data: [], aggregated_value: value })

it('has a slice for each row, with its name, value and colour', () => {
  const { option, legend, more, total } = pieOption([row('Cats', 30), row('Dogs', 10)], light)
  const [cats, dogs] = light.series
  expect(option.series).toMatchObject([
    {
      type: 'pie',
      data: [
        { name: 'Cats', value: 30, itemStyle: { color: cats } },
        { name: 'Dogs', value: 10, itemStyle: { color: dogs } },
      ],
    },
  ])
  expect(legend).toEqual([
    { name: 'Cats', value: 30, share: 0.75, colour: cats },
    { name: 'Dogs', value: 10, share: 0.25, colour: dogs },
  ])
  expect({ more, total }).toEqual({ more: 0, total: 40 })
})

it('leaves out what cannot be a slice', () => {
  const { legend, total } = pieOption([row('Refunds', -5), row('Nothing', 0), row('Orders', 8)], light)
  expect(legend).toEqual([{ name: 'Orders', value: 8, share: 1, colour: light.series[0] }])
  expect(total).toBe(8)
})

it('draws slices beyond its colours in grey and counts them', () => {
  const domains = Array.from({ length: 11 }, (_, at) => `site-${at + 1}.example`)
  const { option, legend, more } = pieOption(makeByDomain('ActionsPie', domains).rows, light)
  expect(option.series[0]?.data).toHaveLength(11)
  expect(option.series[0]?.data?.[8]).toMatchObject({ name: 'site-9.example', itemStyle: { color: light.rest } })
  expect(legend.map(({ colour }) => colour)).toEqual(light.series)
  expect(more).toBe(3)
})

it('leaves to pictures and screens what is theirs', () => {
  const { option } = pieOption(makeByDomain('ActionsPie').rows, light)
  expect(JSON.stringify(option)).not.toMatch(/"(?:animation|silent|emphasis|tooltip|fontFamily|legend)"/)
})
