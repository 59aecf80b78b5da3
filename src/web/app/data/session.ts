/** Who uses the app, and where its server is. It stands still: signing in and out load the page again. */
import { useParams } from '@tanstack/react-router'
import { type BootProject, findProject, readBoot } from './boot.ts'

/** There is no page where tests read the table of contents. */
const page = globalThis.document as Document | undefined
const here = (globalThis.location as Location | undefined)?.href ?? 'http://localhost/'

export const boot = readBoot(page?.getElementById('boot')?.textContent)

/** The root of the server as the browser sees it, with a slash at its end. */
export const base = new URL(boot.root, here)

/** What SDKs are told to send to. */
export const apiHost = base.href.replace(/\/$/, '')

/** Of a path of the app, such as `/login`; it may lie below a path of another host. */
export const addressOf = (path: string): string => base.pathname.replace(/\/$/, '') + path

/** Loads the page again at a path of the app. */
export const leaveFor = (path: string): void => location.assign(addressOf(path))

/** The project that the address names; the frame shows no screen of a project without one. */
export function useProject(): BootProject {
  const { project: named } = useParams({ strict: false }) as { project?: string }
  const project = findProject(boot, named)
  if (!project) throw new Error('The address names no project.')
  return project
}

/** As it is named in an address. */
export const projectPath = ({ id }: Pick<BootProject, 'id'>, path = ''): string => `/project/${id}${path}`

/** Of the person who has this id. */
export const personPath = (project: Pick<BootProject, 'id'>, distinctId: string): string =>
  projectPath(project, `/person/${encodeURIComponent(distinctId)}`)
