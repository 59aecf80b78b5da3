/**
 * The refusal of a token that no project has. A project may be removed between the look-up of its token and the
 * transaction that stores what was sent: so that looks again.
 */
import { AppError } from '../../lib/errors.ts'
import type { SqlWriters } from '../../model/stores.ts'

const CODE = 'invalid_token'

export const unknownToken = (): AppError =>
  new AppError('unauthenticated', CODE, 'API key is not valid: no project has it')

export const isUnknownToken = (error: unknown): boolean => error instanceof AppError && error.code === CODE

/** For the transaction: what it stores would be nobody's, and stay for ever. */
export async function refuseRemoved(tx: Pick<SqlWriters, 'projects'>, projectId: number): Promise<void> {
  if (!(await tx.projects.find(projectId))) throw unknownToken()
}
