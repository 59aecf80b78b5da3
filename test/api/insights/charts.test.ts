/** Insights and dashboards as pictures. Drawing is tested in src/charts; here, access and format. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN } from '../../support/app.ts'
import { darkIn, readPixels } from '../../support/browser/pixels.ts'
import { makeKey, makeProject } from '../../support/make.ts'

const app = await makeApp()
afterAll(() => app.end())

const BASE = '/api/environments/1'
const bought = {
  kind: 'TrendsQuery',
  dateRange: { date_from: '-6d' },
  series: [{ kind: 'EventsNode', event: 'bought' }],
}

async function make(path: string, body: object): Promise<{ id: number; short_id: string }> {
  const answer = await app.call('POST', `${BASE}/${path}/`, { body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
const insight = (body: object = {}) => make('insights', { name: 'What was bought', query: bought, ...body })

const capture = (distinctId: string) =>
  app.call('POST', '/batch/', {
    key: null,
    body: {
      api_key: PROJECT_TOKEN,
      batch: [{ event: 'bought', distinct_id: distinctId, timestamp: new Date(app.clock.now()).toISOString() }],
    },
  })

beforeAll(async () => {
  expect((await capture('ann')).statusCode).toBe(200)
})

const svgOf = async (path: string, query: Record<string, string> = {}): Promise<string> => {
  const answer = await app.call('GET', `${BASE}/${path}`, { query })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.body
}

describe('an insight', () => {
  it('is a PNG by its id and by its short id, with and without a slash at the end', async () => {
    const { id, short_id } = await insight()
    const answers = await Promise.all(
      [`${id}/chart.png`, `${id}/chart.png/`, `${short_id}/chart.png`].map((path) =>
        app.call('GET', `${BASE}/insights/${path}`),
      ),
    )
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.headers['content-type']).toBe('image/png')
      expect(answer.rawPayload.equals(answers[0]?.rawPayload ?? Buffer.alloc(0))).toBe(true)
    }
    const pixels = readPixels(answers[0]?.rawPayload ?? Buffer.alloc(0))
    expect(pixels.width).toBe(1_200)
    expect(darkIn(pixels, { x: 30, y: 44, width: 900, height: 40 }).count).toBeGreaterThan(500)
  })

  it('is an SVG that may do nothing', async () => {
    const { id } = await insight({ name: '<script>alert(1)</script>' })
    const answer = await app.call('GET', `${BASE}/insights/${id}/chart.svg`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/svg+xml')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.body).toContain('&lt;script&gt;')
    expect(answer.body).not.toContain('<script')
  })

  it('shows what is computed now', async () => {
    const { id } = await insight({ query: { ...bought, trendsFilter: { display: 'BoldNumber' } } })
    expect(await svgOf(`insights/${id}/chart.svg`)).toContain('>1</text>')
    expect((await capture('bob')).statusCode).toBe(200)
    expect(await svgOf(`insights/${id}/chart.svg`)).toContain('>2</text>')
  })

  it('marks the day that is not over, in the zone of the project', async () => {
    const { id } = await insight()
    const now = app.clock.now()
    expect(await svgOf(`insights/${id}/chart.svg`)).toContain('4 Mar is not over')
    app.clock.set(Date.UTC(2026, 2, 4, 23, 30))
    expect(await svgOf(`insights/${id}/chart.svg`)).toContain('4 Mar is not over')
    const zone = (timezone: string) => app.call('PATCH', '/api/projects/1/', { body: { timezone } })
    expect((await zone('Europe/Berlin')).statusCode).toBe(200)
    expect(await svgOf(`insights/${id}/chart.svg`)).toContain('5 Mar is not over')
    expect((await zone('UTC')).statusCode).toBe(200)
    app.clock.set(now)
  })

  it('says that there is no data', async () => {
    const { id } = await insight({ query: { ...bought, series: [{ kind: 'EventsNode', event: 'nobody did this' }] } })
    expect(await svgOf(`insights/${id}/chart.svg`)).toContain('>No data in this period</text>')
  })

  it('has the width and the theme that were asked for', async () => {
    const { id } = await insight()
    expect(await svgOf(`insights/${id}/chart.svg`)).toMatch(/width="600".*fill="#ffffff"/)
    const query = { width: '320', theme: 'dark' }
    expect(await svgOf(`insights/${id}/chart.svg`, query)).toMatch(/width="320".*fill="#1b2129"/)
    const png = await app.call('GET', `${BASE}/insights/${id}/chart.png`, { query })
    expect(readPixels(png.rawPayload)).toMatchObject({ width: 640 })
  })

  it('is sent once to a client that caches it', async () => {
    const { id } = await insight()
    for (const ending of ['png', 'svg']) {
      const path = `${BASE}/insights/${id}/chart.${ending}`
      const first = await app.call('GET', path)
      expect(first.headers['cache-control']).toBe('private, max-age=60')
      const headers = { 'if-none-match': String(first.headers.etag) }
      const again = await app.call('GET', path, { headers })
      expect(again.statusCode).toBe(304)
      expect(again.rawPayload.length).toBe(0)
      expect((await app.call('GET', path, { headers, query: { theme: 'dark' } })).statusCode).toBe(200)
    }
  })

  it('is refused with the reason when its query is not supported', async () => {
    const { id } = await insight({ query: { kind: 'HogQLQuery', query: 'select 1' } })
    const answer = await app.call('GET', `${BASE}/insights/${id}/chart.png`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error' })
  })
})

/** The SVG of its PNG, which is easier to read. */
async function drawBoard(id: number): Promise<string> {
  const project = await app.stores.projects.find(1)
  if (!project) throw new Error('no project')
  return app.features.charts.dashboard(project, String(id), {})
}

describe('a dashboard', () => {
  it('is one picture of its first six tiles in the order of the layout', async () => {
    const board = await make('dashboards', { name: 'The board' })
    for (let place = 0; place < 8; place += 1) await insight({ name: `Tile ${place}`, dashboards: [board.id] })
    const { tiles } = (await app.call('GET', `${BASE}/dashboards/${board.id}/`)).json()
    // From the last to the first.
    const moved = tiles.map(({ id }: { id: number }, at: number) => ({
      id,
      layouts: { sm: { x: 0, y: 100 - at, w: 6, h: 5 } },
    }))
    expect((await app.call('PATCH', `${BASE}/dashboards/${board.id}/`, { body: { tiles: moved } })).statusCode).toBe(
      200,
    )
    const drawn: string[] = []
    const svg = await drawBoard(board.id)
    for (const [, name = ''] of svg.matchAll(/>(Tile \d)<\/text>/g)) drawn.push(name)
    expect(drawn).toEqual(['Tile 7', 'Tile 6', 'Tile 5', 'Tile 4', 'Tile 3', 'Tile 2'])
    const answer = await app.call('GET', `${BASE}/dashboards/${board.id}/chart.png`, { query: { width: '400' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/png')
    const pixels = readPixels(answer.rawPayload)
    expect(pixels.width).toBe(800)
    expect(pixels.height).toBeGreaterThan(6 * 500)
  })

  it('shows the others when one cannot be computed, and says why', async () => {
    const board = await make('dashboards', { name: 'Half a board' })
    await insight({ name: 'Fine', dashboards: [board.id] })
    await insight({ name: 'Odd', dashboards: [board.id], query: { kind: 'HogQLQuery', query: 'select 1' } })
    const svg = await drawBoard(board.id)
    expect(svg).toContain('>Fine</text>')
    expect(svg).toContain('>Odd</text>')
    expect(svg).toMatch(/HogQL/)
    expect((await app.call('GET', `${BASE}/dashboards/${board.id}/chart.png`)).statusCode).toBe(200)
  })

  it('narrows its tiles by its own filters', async () => {
    const board = await make('dashboards', { filters: { date_from: '2020-01-01', date_to: '2020-01-07' } })
    await insight({ dashboards: [board.id] })
    const svg = await drawBoard(board.id)
    expect(svg).toContain('>1 Jan – 7 Jan 2020</text>')
    expect(svg).toContain('>No data in this period</text>')
  })

  it('is there for every project, from the start', async () => {
    expect((await app.call('GET', `${BASE}/dashboards/1/chart.png`)).statusCode).toBe(200)
  })
})

describe('who may not', () => {
  const paths = ['insights/1/chart.png', 'insights/1/chart.svg', 'dashboards/1/chart.png']

  it.each(paths)('%s needs its scope', async (path) => {
    const [object = ''] = path.split('/')
    const scope = `${object.slice(0, -1)}:read`
    const right = await makeKey(app, { scopes: [scope] })
    expect((await app.call('GET', `${BASE}/${path}`, { key: right })).statusCode).toBe(200)
    const wrong = await makeKey(app, { scopes: ['person:read'] })
    const refused = await app.call('GET', `${BASE}/${path}`, { key: wrong })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().detail).toContain(scope)
    expect((await app.call('GET', `${BASE}/${path}`, { key: null })).statusCode).toBe(401)
  })

  it('see nothing of another project', async () => {
    const second = await makeProject(app)
    for (const path of paths) {
      const answer = await app.call('GET', `/api/environments/${second.id}/${path}`)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ code: 'not_found' })
    }
  })

  it('find nothing that is deleted or was never there', async () => {
    const { id } = await insight()
    expect((await app.call('DELETE', `${BASE}/insights/${id}/`)).statusCode).toBe(204)
    const board = await make('dashboards', {})
    expect((await app.call('DELETE', `${BASE}/dashboards/${board.id}/`)).statusCode).toBe(204)
    const missing = [
      `insights/${id}/chart.png`,
      'insights/999999/chart.png',
      'insights/nobody/chart.svg',
      `dashboards/${board.id}/chart.png`,
      'dashboards/999999/chart.png',
      'dashboards/nobody/chart.png',
      'dashboards/1/chart.svg',
    ]
    for (const path of missing) expect((await app.call('GET', `${BASE}/${path}`)).statusCode, path).toBe(404)
  })

  it.each([
    ['width', '299'],
    ['width', '1601'],
    ['width', 'wide'],
    ['width', '600.5'],
    ['theme', 'blue'],
  ])('get an error that %s cannot be %s', async (name, value) => {
    for (const path of paths) {
      const answer = await app.call('GET', `${BASE}/${path}`, { query: { [name]: value } })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ type: 'validation_error', attr: name })
    }
  })
})

it('is described as a picture', async () => {
  const { paths } = (await app.call('GET', '/api/schema/', { key: null })).json()
  const { content } = paths['/api/environments/{project_id}/insights/{id}/chart.png/'].get.responses[200]
  expect(content).toEqual({
    'image/png': expect.objectContaining({ schema: expect.objectContaining({ contentMediaType: 'image/png' }) }),
  })
})
