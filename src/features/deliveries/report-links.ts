/**
 * The links in messages. They begin with HEDGEROW_PUBLIC_URL, never with the host of a request or the address it
 * listens on, which may not work where the message is read: without it there are no links.
 */

export interface Links {
  insight(projectId: number, id: number): string | null
  dashboard(projectId: number, id: number): string | null
  subscription(projectId: number, id: number): string | null
  unsubscribe(token: string): string | null
}

export function linksFrom(publicUrl: string | null): Links {
  const at = (path: string): string | null => (publicUrl === null ? null : `${publicUrl}${path}`)
  return {
    insight: (projectId, id) => at(`/api/projects/${projectId}/insights/${id}/`),
    dashboard: (projectId, id) => at(`/api/projects/${projectId}/dashboards/${id}/`),
    subscription: (projectId, id) => at(`/api/projects/${projectId}/subscriptions/${id}/`),
    unsubscribe: (token) => at(`/unsubscribe?token=${token}`),
  }
}
