import { type AppError, unavailable } from '../lib/errors.ts'

const RETRY_SECONDS = 5

/** What the caller is told when an engine has not enough memory for a read. */
export const memoryShortage = (cause: unknown): AppError =>
  unavailable('The events take more memory than there is now. Narrow the request or try again.', RETRY_SECONDS, cause)
