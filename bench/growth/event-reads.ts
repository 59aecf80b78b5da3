/** Reads of events, and of recordings by their events. */
import { type Bare, json, LINEAR, personProperty, property, type Read, sinceBegin } from './read.ts'
import { RARE_COUPON } from './world.ts'

interface Listed {
  results: { id: string }[]
}

const ids = ({ results }: Listed) => results.map(({ id }) => id)

const NEWEST_FIRST = 'ORDER BY ts DESC, events.seq DESC, ord DESC'

interface Condition {
  query?: string
  where?: string
  join?: string
  overBare?: number | null
}

const events = (name: string, { query = '', where = 'true', join = '', overBare = null }: Condition): Read => ({
  name: `events/ ${name}`,
  request: () => ({ path: `events/?limit=100${query}` }),
  answer: ids,
  bare: async (bare) => {
    const rows = await bare.events(`SELECT events.uuid::VARCHAR FROM events ${join}
      WHERE events.project_id = 1 AND ${where} ${NEWEST_FIRST} LIMIT 100`)
    return rows.map(([uuid]) => uuid)
  },
  overBare,
  growth: LINEAR,
})

const ofEvent = (key: string, value: string, type = 'event') => json([{ key, value, operator: 'exact', type }])

interface Recordings extends Listed {
  count: number
}

async function recordingsWith(bare: Bare, condition: string): Promise<unknown> {
  const recordings = bare.sql(`SELECT session_id FROM recordings WHERE project_id = 1 ORDER BY start_at DESC`)
  const found = await bare.events(`SELECT DISTINCT session_id::VARCHAR FROM events
    WHERE project_id = 1 AND ${condition}`)
  const sessions = new Set(found.map(([id]) => id))
  const matching = recordings.map(([id]) => id as string).filter((id) => sessions.has(id))
  return { count: matching.length, ids: matching.slice(0, 20) }
}

const recordings = (name: string, query: string, condition: string): Read => ({
  name: `session_recordings/ ${name}`,
  request: (scene) => ({ path: `session_recordings/?limit=20&date_from=${sinceBegin(scene)}&${query}` }),
  answer: ({ count, results }: Recordings) => ({ count, ids: ids({ results }) }),
  bare: (bare) => recordingsWith(bare, condition),
  overBare: 3,
  growth: LINEAR,
})

export const eventReads: Read[] = [
  events('default', {}),
  events('by name', { query: '&event=paid', where: `event = 'paid'` }),
  events('by a rare property', {
    query: `&properties=${ofEvent('coupon', RARE_COUPON)}`,
    where: `${property('coupon')} = '${RARE_COUPON}'`,
    overBare: 3,
  }),
  events('by a property, no hit', {
    query: `&properties=${ofEvent('$browser', 'Netscape')}`,
    where: `${property('$browser')} = 'Netscape'`,
    overBare: 3,
  }),
  events('by a property of the person', {
    query: `&properties=${ofEvent('plan', 'team', 'person')}`,
    join: `JOIN distinct_ids USING (distinct_id) JOIN persons USING (person_id)`,
    where: `${personProperty('plan')} = 'team'`,
  }),
  recordings(
    'by an event property',
    `properties=${ofEvent('$browser', 'Safari')}`,
    `${property('$browser')} = 'Safari'`,
  ),
  recordings('by an event', `events=${json([{ id: 'paid' }])}`, `event = 'paid'`),
]
