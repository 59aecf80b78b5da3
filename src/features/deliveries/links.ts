/**
 * The addresses that messages lead to. They begin with HEDGEROW_PUBLIC_URL, or with what the server listens on when it
 * is not set; never with what some request called it.
 */

export interface Links {
  insight(projectId: number, id: number): string
  dashboard(projectId: number, id: number): string
  subscription(projectId: number, id: number): string
  unsubscribe(token: string): string
}

export const linksFrom = (base: string): Links => ({
  insight: (projectId, id) => `${base}/api/projects/${projectId}/insights/${id}/`,
  dashboard: (projectId, id) => `${base}/api/projects/${projectId}/dashboards/${id}/`,
  subscription: (projectId, id) => `${base}/api/projects/${projectId}/subscriptions/${id}/`,
  unsubscribe: (token) => `${base}/unsubscribe?token=${token}`,
})
