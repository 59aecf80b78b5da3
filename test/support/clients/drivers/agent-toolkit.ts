/**
 * PostHog's agent toolkit: its tools, called as an agent calls them, with parameters that their own schemas accept and
 * answers that they check by theirs.
 */
import type { Drive, Expected } from '../drive.ts'

interface Tool {
  name: string
  schema: { parse(params: unknown): unknown }
  handler(context: object, params: unknown): Promise<{ content: { text: string }[] }>
}

interface Toolkit {
  getContext(): object
  getTools(): Promise<Tool[]>
}

type ToolkitClass = new (options: { posthogApiToken: string; posthogApiBaseUrl: string }) => Toolkit

const QUERY = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-7d' },
    series: [{ kind: 'EventsNode', event: '$pageview', custom_name: 'Views', math: 'total' }],
  },
}

export async function driveAgentToolkit({ client, host, key, project, step }: Drive): Promise<Expected> {
  const { PostHogAgentToolkit } = client.load<{ PostHogAgentToolkit: ToolkitClass }>()
  const toolkit = new PostHogAgentToolkit({ posthogApiToken: key, posthogApiBaseUrl: host })
  const context = toolkit.getContext()
  const tools = await toolkit.getTools()
  const call = async <T>(name: string, params: object): Promise<T> => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new Error('the toolkit does not offer it')
    const { content } = await tool.handler(context, tool.schema.parse(params))
    const text = content[0]?.text ?? ''
    if (text.startsWith('Error')) throw new Error(text)
    return (/^[[{]/.test(text) ? JSON.parse(text) : text) as T
  }
  const use = (name: string, params: object = {}) => step(name, () => call(name, params))

  await use('organizations-get')
  await use('organization-details-get')
  await use('projects-get')
  await use('switch-project', { projectId: project })
  await use('event-definitions-list')
  await use('properties-list', { type: 'person' })
  await use('query-run', { query: QUERY })
  await use('get-llm-total-costs-for-project', { projectId: project })
  await use('insights-get-all')
  await use('dashboards-get-all')
  await use('feature-flag-get-all')
  await use('experiment-get-all')
  await use('surveys-get-all')

  let insightId = ''
  let dashboardId = 0
  await step('insight-create-from-query', async () => {
    const data = { name: 'Views', query: QUERY, favorited: false }
    insightId = (await call<{ short_id: string }>('insight-create-from-query', { data })).short_id
  })
  await use('insight-get', { insightId })
  await use('insight-query', { insightId })
  await use('insight-update', { insightId, data: { name: 'Views of the week', query: QUERY } })
  await step('dashboard-create', async () => {
    dashboardId = (await call<{ id: number }>('dashboard-create', { data: { name: 'Shop' } })).id
  })
  await use('add-insight-to-dashboard', { data: { insightId, dashboardId } })
  await use('dashboard-get', { dashboardId })
  await use('dashboard-update', { dashboardId, data: { name: 'The shop' } })
  await use('dashboard-delete', { dashboardId })
  await use('insight-delete', { insightId })
  return { events: {}, onePerson: [] }
}
