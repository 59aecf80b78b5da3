/** What the SDKs ask besides sending data, put together: whose token a request holds, and their own scripts. */
import type { RawCall } from '../../http/raw-routes.ts'
import type { Project } from '../../model/accounts/project.ts'
import { createScripts } from './scripts.ts'

export interface SdkParts {
  /** The project of a token; refuses one that nobody has. */
  projectOf: (token: string) => Promise<Project>
  /** What a request holds, however it is wrapped. */
  readBody: (call: RawCall, options: { inflated: number; depth: number }) => Promise<{ token: string }>
  /** Bytes of a body after inflating. */
  inflated: number
}

const MAX_DEPTH = 100

export function createSdkFeature({ projectOf, readBody, inflated }: SdkParts) {
  const options = { inflated, depth: MAX_DEPTH }
  return {
    projectOf,
    /** The project whose token the body holds. */
    projectOfCall: async (call: RawCall): Promise<Project> => projectOf((await readBody(call, options)).token),
    scripts: createScripts(),
  }
}

export type SdkFeature = ReturnType<typeof createSdkFeature>
