/** docs/clients.md: the table of clients, made from what a run has found. Nothing in it tells when or where. */
import type { ClientRow } from './client-run.ts'

const HEADER = `# Clients

Releases of clients, unmodified, run against the server. \`npm run clients\` makes this page: it fetches the packages
that \`test/support/clients/packages.json\` pins, starts the server, drives each client in a project of its own and reads
back through the API what is stored. posthog-js and posthog-js-lite run in Chromium on the page of a small shop,
posthog-react-native under Node with React Native stood in for, n8n's node in a host that hands it its parameters. Of
the agent toolkit the tools are driven that read, and those that make insights and dashboards: there are no flags,
experiments, surveys or issues to make here. posthog-js-lite runs without retries: its releases 2.4 and 2.5 take every
answer for a failure, as they may not read the status of their own \`no-cors\` requests, and send everything four times
under no uuid, to whichever server.

Sent is counted on the wire, between client and server; lost is what was asked of the client, or sent by it, and is not
stored. Replay is counted in rrweb events, sent and stored. Unexpected is an answer other than 2xx (or 304), a callback
that never came, or an event stored twice.

| client | release | driven | sent | stored | lost | replay | unexpected |
|---|---|---|---|---|---|---|---|
`

const listed = (items: string[]): string => (items.length === 0 ? '–' : items.join('; ').replaceAll('|', '\\|'))

const replayOf = ({ snapshots }: ClientRow): string => (snapshots ? `${snapshots.sent} / ${snapshots.stored}` : '–')

const rowOf = (row: ClientRow): string =>
  [
    '',
    row.name,
    row.release,
    row.driven.join(', '),
    row.sent,
    row.stored,
    row.lost.length === 0 ? '0' : `${row.lost.length}: ${[...new Set(row.lost)].join(', ')}`,
    replayOf(row),
    listed(row.unexpected),
    '',
  ]
    .join(' | ')
    .trim()

export const clientsPage = (rows: ClientRow[]): string => `${HEADER}${rows.map((row) => `${rowOf(row)}\n`).join('')}`
