/** Lines to paste that send a first event, with the project's token and this server's address in them. */
import { quote } from '../../data/requests/curl-line.ts'
import type { Lang } from './start.search.ts'

export interface Target {
  host: string
  token: string
}

export const LANG_NAMES: Record<Lang, string> = {
  browser: 'Browser',
  node: 'Node',
  python: 'Python',
  curl: 'curl',
  existing: 'I have posthog-js already',
}

/** A text of JavaScript or Python: both read JSON's way of writing one. */
const literal = (text: string): string => JSON.stringify(text).replaceAll("'", '\\u0027').replace(/^"|"$/g, "'")

const SNIPPETS: Record<Lang, (target: Target) => string> = {
  browser: ({ host, token }) => `// npm install posthog-js
import posthog from 'posthog-js'

posthog.init(${literal(token)}, {
  api_host: ${literal(host)},
  defaults: '2025-05-24',
})
posthog.capture('hello')`,
  node: ({ host, token }) => `// npm install posthog-node
import { PostHog } from 'posthog-node'

const posthog = new PostHog(${literal(token)}, { host: ${literal(host)} })
posthog.capture({ distinctId: 'jane@example.com', event: 'hello' })
await posthog.shutdown()`,
  python: ({ host, token }) => `# pip install posthog
from posthog import Posthog

posthog = Posthog(${literal(token)}, host=${literal(host)})
posthog.capture('hello', distinct_id='jane@example.com')
posthog.shutdown()`,
  curl: ({ host, token }) => {
    const event = { token, event: 'hello', distinct_id: 'jane@example.com' }
    return `curl -H 'Content-Type: application/json' ${quote(`${host}/i/v0/e/`)} \\
  -d ${quote(JSON.stringify(event))}`
  },
  existing: ({ host, token }) => `posthog.init(${literal(token)}, {
  api_host: ${literal(host)},
  // the rest stays as it is
})`,
}

export const snippet = (lang: Lang, target: Target): string => SNIPPETS[lang](target)
