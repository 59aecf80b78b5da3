/**
 * Creates a project, for the first start, the API and the command line alike. Its default dashboard is created
 * in the same transaction.
 */
import { randomUUID } from 'node:crypto'
import type { Project, ProjectSettings } from '../../model/accounts/project.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { type DefaultInsight, defaultDashboard } from '../insights/default-dashboard.ts'
import { newShortId } from '../insights/insight-fields.ts'
import { newProjectToken } from './key-secret.ts'

export interface ProjectInput extends Partial<ProjectSettings> {
  name: string
  organizationId: string
  /** The user who creates it; null on the command line. */
  createdById: number | null
  /** Set by the operator for the first project; generated otherwise. */
  apiToken?: string
  isDemo?: boolean
}

/** What a project has that was given no other settings. */
const DEFAULT_SETTINGS: Omit<ProjectSettings, 'name'> = {
  timezone: 'UTC',
  personDisplayNameProperties: null,
  sessionRecordingOptIn: true,
  captureConsoleLogOptIn: true,
  sessionRecordingRetentionPeriod: '30d',
  sessionRecordingQuotaBytes: null,
  eventsRetentionDays: null,
  autocaptureExceptionsOptIn: false,
  autocaptureWebVitalsOptIn: false,
  heatmapsOptIn: false,
  captureDeadClicks: false,
  anonymizeIps: true,
}

interface Origin {
  projectId: number
  createdById: number | null
  createdAt: number
}

const newInsight = ({ name, description, query }: DefaultInsight, origin: Origin) => ({
  ...origin,
  name,
  description,
  query,
  shortId: newShortId(),
  derivedName: null,
  filters: {},
  favorited: false,
  tags: [],
  order: null,
  lastModifiedAt: origin.createdAt,
  lastModifiedById: origin.createdById,
  deleted: false,
})

async function addDefaultDashboard(tx: SqlWriters, origin: Origin): Promise<void> {
  const { tiles, ...dashboard } = defaultDashboard
  const { id } = await tx.dashboards.create({
    ...origin,
    ...dashboard,
    tags: [],
    filters: {},
    creationMode: 'template',
    isDefault: true,
    deleted: false,
  })
  for (const { insight, layouts, color } of tiles) {
    const made = await tx.insights.create(newInsight(insight, origin))
    await tx.dashboards.addTile(id, { insightId: made.id, layouts, color })
  }
}

export async function createProject(tx: SqlWriters, input: ProjectInput, now: number): Promise<Project> {
  const { createdById, ...settings } = input
  const project = await tx.projects.create({
    ...DEFAULT_SETTINGS,
    apiToken: newProjectToken(),
    isDemo: false,
    ...settings,
    uuid: randomUUID(),
    createdAt: now,
  })
  await addDefaultDashboard(tx, { projectId: project.id, createdById, createdAt: now })
  return project
}
