/** What is asked of a server that listens, in order: paths with their queries. */
import type { TestApp } from './app.ts'

export function askedOf(app: TestApp): string[] {
  const asked: string[] = []
  app.server.server.on('request', ({ url }) => void asked.push(url ?? ''))
  return asked
}
