/**
 * The error for a token that no project has. A project may be removed between the look-up of its token and the
 * transaction that stores the events, so that transaction checks again.
 */
import { AppError } from '../../lib/errors.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SqlWriters } from '../../model/stores.ts'

const CODE = 'invalid_token'

export const unknownToken = (): AppError =>
  new AppError('unauthenticated', CODE, 'API key is not valid: no project has it')

export const isUnknownToken = (error: unknown): boolean => error instanceof AppError && error.code === CODE

/** For the transaction: data stored for a removed project would never be removed. */
export async function refuseRemoved(tx: Pick<SqlWriters, 'projects'>, projectId: number): Promise<Project> {
  const project = await tx.projects.find(projectId)
  if (!project) throw unknownToken()
  return project
}
