/**
 * The links in messages. They begin with HEDGEROW_PUBLIC_URL, never with the host of a request or the address it
 * listens on, which may not work where the message is read: without it there are no links. The web app has pages for
 * people and replays; insights, dashboards and subscriptions are named by their addresses in the API.
 */

export interface PageLink {
  text: string
  url: string
}

export interface Links {
  insight(projectId: number, id: number): string | null
  dashboard(projectId: number, id: number): string | null
  subscription(projectId: number, id: number): string | null
  /** Pages of the web app about what the numbers are of; none where it is not served. */
  pages(projectId: number): PageLink[]
  unsubscribe(token: string): string | null
}

const PAGES = { People: 'persons', Replays: 'replay/home' }

export function linksFrom(publicUrl: string | null, hasApp: boolean): Links {
  const at = (path: string): string | null => (publicUrl === null ? null : `${publicUrl}${path}`)
  return {
    insight: (projectId, id) => at(`/api/projects/${projectId}/insights/${id}/`),
    dashboard: (projectId, id) => at(`/api/projects/${projectId}/dashboards/${id}/`),
    subscription: (projectId, id) => at(`/api/projects/${projectId}/subscriptions/${id}/`),
    pages: (projectId) =>
      publicUrl === null || !hasApp
        ? []
        : Object.entries(PAGES).map(([text, path]) => ({ text, url: `${publicUrl}/project/${projectId}/${path}` })),
    unsubscribe: (token) => at(`/unsubscribe?token=${token}`),
  }
}
