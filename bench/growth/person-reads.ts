/** Reads of people: lists, filters, values, names of properties, one person. */
import { type Bare, CONSTANT, json, LINEAR, personProperty, type Read, type Scene, sinceBegin } from './read.ts'
import { personOf, RARE_NAME } from './world.ts'

interface Listed {
  count: number
  results: { id: number | string }[]
}

const listed = ({ count, results }: Listed) => ({ count, ids: results.map(({ id }) => id) })

const NEWEST_FIRST = 'ORDER BY created_at DESC, person_id DESC'

/** What lists of values and of names are made from. */
const LATEST = 'person_id > (SELECT max(person_id) - 100000 FROM persons)'

/** Persons of the projection: the number of all that match, and the ids of the first hundred. */
async function found(bare: Bare, condition: string): Promise<unknown> {
  const rows = await bare.events(`SELECT count(*) OVER (), person_id FROM persons
    WHERE project_id = 1 AND NOT deleted AND (${condition}) ${NEWEST_FIRST} LIMIT 100`)
  return { count: rows[0]?.[0] ?? 0, ids: rows.map(([, id]) => id) }
}

const filtered = (
  name: string,
  filter: { key: string; operator: string; value: unknown },
  condition: string,
): Read => ({
  name: `persons/ ${name}`,
  request: () => ({ path: `persons/?properties=${json([{ ...filter, type: 'person' }])}` }),
  answer: listed,
  bare: (bare) => found(bare, condition),
  overBare: 2,
  growth: LINEAR,
})

/** By the folded texts that the store keeps; no uuid contains these words. */
function searched(name: string, text: string): Read {
  const has = (value: string) => `contains(${value}, '${text.toLowerCase()}')`
  const folded = `CASE WHEN folded = '' THEN distinct_id ELSE folded END`
  const owners = `SELECT person_id FROM distinct_ids WHERE project_id = 1 AND ${has(folded)}`
  const condition = [has('search'), `person_id IN (${owners})`]
  return {
    name: `persons/ search, ${name}`,
    request: () => ({ path: `persons/?search=${text}` }),
    answer: listed,
    bare: (bare) => found(bare, condition.join(' OR ')),
    overBare: 2,
    growth: LINEAR,
  }
}

/** A page in SQL: the rows with their distinct ids, and the number of all. */
function sqlPage(bare: Bare, limit: number, offset = 0, condition = 'true'): unknown {
  const rows = bare.sql(`SELECT id, uuid, properties, created_at,
      (SELECT group_concat(distinct_id) FROM distinct_ids WHERE person_id = persons.id)
    FROM persons WHERE project_id = 1 AND ${condition}
    ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`)
  const [[count] = []] = bare.sql(`SELECT count(*) FROM persons WHERE project_id = 1 AND ${condition}`)
  return { count, ids: rows.map(([id]) => id) }
}

const page = (name: string, query: (scene: Scene) => string, bare: Read['bare'], growth = CONSTANT): Read => ({
  name: `persons/ ${name}`,
  request: (scene) => ({ path: `persons/${query(scene)}` }),
  answer: listed,
  bare,
  overBare: null,
  growth,
})

const farDown = ({ size }: Scene): number => size.people * 0.9
const middle = ({ size }: Scene): number => size.people / 2

/** The place of the person in the middle: as many are older. */
function place(scene: Scene): { createdAt: number; id: number } {
  const n = middle(scene)
  return { createdAt: personOf(n, scene.size, scene.now).createdAt, id: n + 1 }
}

interface Valued {
  results: { name: string; count: number }[]
}

const values = (key: string, ofEach: (row: [unknown, unknown]) => unknown): Read => ({
  name: `persons/values/ ${key}`,
  request: () => ({ path: `persons/values/?key=${key}` }),
  answer: ({ results }: Valued) => results.map(({ name, count }) => ofEach([name, count])),
  bare: async (bare) => {
    const rows = await bare.events(`SELECT ${personProperty(key)} AS value, count(*) FROM persons
      WHERE project_id = 1 AND NOT deleted AND ${LATEST} AND value IS NOT NULL GROUP BY value ORDER BY 2 DESC, 1 LIMIT 20`)
    return rows.map((row) => ofEach(row as [unknown, unknown]))
  },
  overBare: 2,
  growth: LINEAR,
})

interface Named {
  results: { name: string; property_type: string }[]
}

export const personReads: Read[] = [
  page(
    'default',
    () => '',
    (bare) => sqlPage(bare, 100),
  ),
  page(
    'limit=1000',
    () => '?limit=1000',
    (bare) => sqlPage(bare, 1_000),
  ),
  page(
    'offset 90 %',
    (scene) => `?offset=${farDown(scene)}`,
    (bare, scene) => sqlPage(bare, 100, farDown(scene)),
    LINEAR,
  ),
  page(
    'by cursor',
    (scene) => `?cursor=${middle(scene)}_${place(scene).createdAt}_${place(scene).id}`,
    (bare, scene) => sqlPage(bare, 100, 0, `(created_at, id) < (${place(scene).createdAt}, ${place(scene).id})`),
  ),
  page(
    'email=',
    (scene) => `?email=person-${middle(scene)}@example.com`,
    (bare, scene) => found(bare, `${personProperty('email')} = 'person-${middle(scene)}@example.com'`),
  ),
  page(
    'distinct_id=',
    (scene) => `?distinct_id=user-${middle(scene)}`,
    (bare, scene) =>
      sqlPage(
        bare,
        100,
        0,
        `id IN (SELECT person_id FROM distinct_ids WHERE project_id = 1 AND distinct_id = 'user-${middle(scene)}')`,
      ),
  ),
  searched('rare', RARE_NAME),
  searched('one in five', 'garcia'),
  filtered('exact', { key: 'plan', operator: 'exact', value: 'team' }, `${personProperty('plan')} = 'team'`),
  filtered(
    'is_set',
    { key: 'company', operator: 'is_set', value: 'is_set' },
    `${personProperty('company')} IS NOT NULL`,
  ),
  filtered('gt', { key: 'visits', operator: 'gt', value: 900 }, `${personProperty('visits')}::DOUBLE > 900`),
  filtered(
    'icontains',
    { key: 'email', operator: 'icontains', value: 'ON-12' },
    `contains(lower(${personProperty('email')}), 'on-12')`,
  ),
  filtered(
    'regex',
    { key: 'email', operator: 'regex', value: '^person-1.*7@' },
    `regexp_matches(${personProperty('email')}, '^person-1.*7@')`,
  ),
  values('plan', (row) => row),
  // All have the same number: which of them are shown is open.
  values('email', ([, count]) => count),
  {
    name: 'property_definitions/ of people',
    request: () => ({ path: 'property_definitions/?type=person' }),
    answer: ({ results }: Named) => results.map(({ name, property_type }) => [name, property_type]).sort(),
    bare: async (bare) => {
      const rows = await bare.events(`SELECT name,
          CASE WHEN count(DISTINCT kind) > 1 THEN 'String' ELSE any_value(kind) END FROM (
        SELECT name, CASE json_type(value) WHEN 'VARCHAR' THEN 'String' WHEN 'BOOLEAN' THEN 'Boolean' ELSE 'Numeric' END
            AS kind FROM (
          SELECT unnest(json_keys(properties)) AS name, unnest(json_extract(properties, '$.*')) AS value FROM persons
          WHERE project_id = 1 AND NOT deleted AND ${LATEST})) GROUP BY name`)
      return rows.sort()
    },
    overBare: 2,
    growth: LINEAR,
  },
  {
    name: 'persons/{id}/',
    request: (scene) => ({ path: `persons/${middle(scene)}/` }),
    answer: ({ id }: { id: number }) => id,
    bare: (bare, scene) =>
      bare.sql(`SELECT id, properties, (SELECT group_concat(distinct_id) FROM distinct_ids WHERE person_id = persons.id)
        FROM persons WHERE id = ${middle(scene)}`)[0]?.[0],
    overBare: null,
    growth: CONSTANT,
  },
  ...['properties_timeline', 'activity'].map(
    (view): Read => ({
      name: `persons/{id}/${view}/`,
      request: (scene) => ({ path: `persons/${middle(scene)}/${view}/` }),
      answer: () => null,
      bare: null,
      overBare: null,
      growth: CONSTANT,
    }),
  ),
  {
    name: 'session_recordings/ by a person property',
    request: (scene) => ({
      path: `session_recordings/?limit=20&date_from=${sinceBegin(scene)}&properties=${json([{ key: 'plan', operator: 'exact', value: 'team', type: 'person' }])}`,
    }),
    answer: listed,
    bare: async (bare) => {
      const recordings = bare.sql(`SELECT session_id, owner.person_id FROM recordings
        JOIN distinct_ids AS owner USING (project_id, distinct_id) WHERE project_id = 1 ORDER BY start_at DESC`)
      const owners = [...new Set(recordings.map(([, personId]) => personId))]
      const team = await bare.events(`SELECT person_id FROM persons
        WHERE person_id IN (${owners.join(',') || 'NULL'}) AND ${personProperty('plan')} = 'team'`)
      const ids = new Set(team.map(([id]) => id))
      const matching = recordings.filter(([, personId]) => ids.has(personId as number))
      return { count: matching.length, ids: matching.slice(0, 20).map(([id]) => id) }
    },
    overBare: 3,
    growth: LINEAR,
  },
]
