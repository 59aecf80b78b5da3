/** What the SDKs ask besides sending data, put together: whose token a request holds, and their own scripts. */
import { refusal } from '../../http/access/auth.ts'
import type { RawCall } from '../../http/raw-routes.ts'
import { denied, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import { createScripts } from './scripts.ts'

export interface SdkParts {
  /** The project of a token; refuses one that nobody has. */
  projectOf: (token: string) => Promise<Project>
  /** What `@current` means for the caller; null when its key may access no project. */
  currentProject: (caller: Caller) => Promise<Project | null>
  /** What a request holds, however it is wrapped. */
  readBody: (call: RawCall, options: { inflated: number; depth: number }) => Promise<{ token: string }>
  /** Bytes of a body after inflating. */
  inflated: number
}

const MAX_DEPTH = 100

export function createSdkFeature({ projectOf, currentProject, readBody, inflated }: SdkParts) {
  const options = { inflated, depth: MAX_DEPTH }
  return {
    projectOf,
    /** The project whose token the body holds. */
    async projectOfCall(call: RawCall): Promise<Project> {
      const project = await projectOf((await readBody(call, options)).token)
      call.note(project)
      return project
    },
    /** The project of a token, or the current one, if the key may access it. */
    async projectOfKey(caller: Caller, token: string | undefined): Promise<Project> {
      const project = token === undefined ? await currentProject(caller) : await projectOf(token)
      if (!project) throw notFound('Project not found.')
      const reason = refusal(caller, project)
      if (reason !== null) throw denied(reason)
      return project
    },
    scripts: createScripts(),
  }
}

export type SdkFeature = ReturnType<typeof createSdkFeature>
