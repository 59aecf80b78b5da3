/**
 * Runs one release of a client, unmodified, against a started server: in a project of its own and through a proxy that
 * notes what passes. Afterwards the API is asked for what is stored, and both are compared.
 */
import { expect } from 'vitest'
import { apiClient } from '../servers/api-client.ts'
import { openClient } from './client-packages.ts'
import { type Drive, type Expected, PATIENCE, STEP_LIMIT_MS } from './drive.ts'
import { driveAgentToolkit } from './drivers/agent-toolkit.ts'
import { driveN8n } from './drivers/n8n.ts'
import { drivePosthogJs } from './drivers/posthog-js.ts'
import { drivePosthogJsLite } from './drivers/posthog-js-lite.ts'
import { drivePosthogNode } from './drivers/posthog-node.ts'
import { driveReactNative } from './drivers/posthog-react-native.ts'
import { type PassedRequest, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'
import { readSent } from './sent-events.ts'

export interface ClientRow {
  name: string
  release: string
  driven: string[]
  sent: number
  stored: number
  /** Names of events that were asked for or sent and are not stored. */
  lost: string[]
  /** Of recordings, in rrweb events; null for a client that records nothing. */
  snapshots: { sent: number; stored: number } | null
  /** Answers that no client should get, and whatever else did not go as it should. */
  unexpected: string[]
}

export interface ClientServer {
  url: string
  key: string
}

const DRIVERS: Record<string, (drive: Drive) => Promise<Expected>> = {
  'posthog-js': drivePosthogJs,
  'posthog-js-lite': drivePosthogJsLite,
  'posthog-node': drivePosthogNode,
  'posthog-react-native': driveReactNative,
  '@posthog/agent-toolkit': driveAgentToolkit,
  'n8n-nodes-base': driveN8n,
}

const MESSAGE_LENGTH = 200

const inTime = <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('never came back')), STEP_LIMIT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function createProject({ url, key }: ClientServer, name: string): Promise<{ id: number; api_token: string }> {
  const answer = await fetch(`${url}/api/projects/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  expect(answer.status).toBe(201)
  return answer.json() as Promise<{ id: number; api_token: string }>
}

const countBy = (names: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** On one line, without what differs from run to run. */
const plainText = (text: string, { host, token, project }: Drive): string =>
  text
    .replaceAll(host, '')
    .replaceAll(token, '{token}')
    .replaceAll(`/${project}/`, '/{project}/')
    .replace(/\s+/g, ' ')
    .slice(0, MESSAGE_LENGTH)

const badAnswers = (passed: readonly PassedRequest[], drive: Drive): string[] => {
  const bad = passed.filter(({ status }) => status !== 304 && (status < 200 || status > 299))
  return [
    ...new Set(bad.map(({ method, path, status }) => plainText(`${status} ${method} ${path.split('?')[0]}`, drive))),
  ]
}

/** Everything of the project, read back through the API. */
async function readStored({ url, key }: ClientServer, project: number, sessions: Iterable<string>) {
  const api = apiClient(url, key, project)
  const { results, next } = await api.get<{ results: { event: string }[]; next: string | null }>('/events/', {
    limit: '1000',
  })
  expect(next).toBeNull()
  let snapshots = 0
  for (const session of sessions) {
    snapshots += (await api.get<unknown[]>(`/session_recordings/${session}/snapshots/export/`)).length
  }
  return { events: results.map(({ event }) => event), snapshots, api }
}

async function compare(server: ClientServer, drive: Drive, expected: Expected) {
  const sent = await drive.sent()
  const stored = await readStored(server, drive.project, sent.snapshots.keys())
  const sentCounts = countBy(sent.events.map(({ event }) => event))
  const storedCounts = countBy(stored.events)
  const names = new Set([...sentCounts.keys(), ...Object.keys(expected.events)])
  const lost = [...names].flatMap((name) => {
    const due = Math.max(sentCounts.get(name) ?? 0, expected.events[name] ?? 0)
    return Array<string>(Math.max(0, due - (storedCounts.get(name) ?? 0))).fill(name)
  })
  const unexpected = [...storedCounts].flatMap(([name, count]) => {
    const due = expected.events[name] ?? sentCounts.get(name) ?? 0
    return count > due ? [`${name} stored ${count} times instead of ${due}`] : []
  })
  const [first, ...others] = await Promise.all(expected.onePerson.map((id) => stored.api.personOf(id)))
  if (first === null || others.some((person) => person?.id !== first?.id)) {
    unexpected.push('not one person after identify and alias')
  }
  const snapshotsSent = [...sent.snapshots.values()].reduce((sum, count) => sum + count, 0)
  return {
    sent: sent.events.length,
    stored: stored.events.length,
    lost,
    snapshots: snapshotsSent === 0 ? null : { sent: snapshotsSent, stored: stored.snapshots },
    unexpected,
  }
}

export async function runClient(id: string, server: ClientServer): Promise<ClientRow> {
  const client = openClient(id)
  const driver = DRIVERS[client.name]
  if (driver === undefined) throw new Error(`There is no driver for ${client.name}.`)
  const project = await createProject(server, id)
  const proxy: RecordingProxy = await startRecordingProxy(server.url)
  const driven: string[] = []
  const problems: string[] = []
  const sent = () => readSent(proxy.passed)
  const drive: Drive = {
    client,
    host: proxy.url,
    token: project.api_token,
    key: server.key,
    project: project.id,
    sent,
    async untilSent(events, work = () => undefined) {
      const missing = async () => {
        await work()
        const counts = countBy((await sent()).events.map(({ event }) => event))
        return Object.entries(events).filter(([name, count]) => (counts.get(name) ?? 0) < count)
      }
      await expect.poll(missing, PATIENCE).toEqual([])
    },
    async step(name, work) {
      driven.push(name)
      try {
        await inTime(Promise.resolve(work()))
      } catch (error) {
        drive.problem(`${name}: ${(error as Error).message}`)
      }
    },
    problem: (text) => void problems.push(plainText(text, drive)),
  }
  try {
    const expected = await driver(drive).catch((error: Error): Expected => {
      drive.problem(`could not be driven: ${error.message}`)
      return { events: {}, onePerson: [] }
    })
    await expect.poll(proxy.waiting).toBe(0)
    const outcome = await compare(server, drive, expected)
    const unexpected = [...badAnswers(proxy.passed, drive), ...problems, ...outcome.unexpected]
    return { name: client.name, release: client.release, driven, ...outcome, unexpected }
  } finally {
    await proxy.close()
  }
}
