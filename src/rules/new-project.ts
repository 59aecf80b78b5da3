/** A project as every way of making one makes it: the first start, the API and the command line. */
import { randomUUID } from 'node:crypto'
import type { Project, ProjectSettings } from '../model/project.ts'
import type { SqlWriters } from '../model/stores.ts'
import { newProjectToken } from './key-secret.ts'

export interface ProjectInput extends Partial<ProjectSettings> {
  name: string
  organizationId: string
  /** Given by the operator for the first project; made otherwise. */
  apiToken?: string
  isDemo?: boolean
}

export async function createProject(tx: SqlWriters, input: ProjectInput, now: number): Promise<Project> {
  return tx.projects.create({ apiToken: newProjectToken(), ...input, uuid: randomUUID(), createdAt: now })
}
