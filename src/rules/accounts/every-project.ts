/** All projects, by id, read in pages. */
import type { Project, ProjectReader } from '../../model/accounts/project.ts'

const ALL = { organizationIds: null, ids: null, search: null }
const AT_ONCE = 1_000

export async function* everyProject(projects: Pick<ProjectReader, 'list'>): AsyncGenerator<Project> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const { items } = await projects.list(ALL, { limit: AT_ONCE, offset })
    yield* items
    if (items.length < AT_ONCE) return
  }
}
