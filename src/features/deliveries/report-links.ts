/**
 * The addresses that messages lead to. They begin with HEDGEROW_PUBLIC_URL, never with what some request called the
 * server or with what it listens on, which may mean nothing where the message is read: without it there are none.
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
