/** `hedgerow projects create|list`. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { NewProjectBody } from '../features/projects/projects.schema.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Project } from '../model/accounts/project.ts'
import { createProject } from '../rules/accounts/new-project.ts'
import { asOptions, inShape } from './arguments.ts'
import { JSON_OPTION, type ListShape, printList } from './print-list.ts'
import { requireFirstStart, withSql } from './with-sql.ts'

async function create(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: { name: { type: 'string' }, organization: { type: 'string' } } })
  const given = values.name
  if (given === undefined) throw new OperatorError('projects create needs --name TEXT.')
  const { name } = await asOptions({ name: '--name' }, () => inShape(NewProjectBody, { name: given }))
  await withSql(config, async (stores, now) => {
    const organizationId = values.organization ?? (await requireFirstStart(stores))
    if (!(await stores.users.findOrganization(organizationId))) {
      throw new OperatorError(`There is no organization ${organizationId}.`)
    }
    const project = await stores.transaction((tx) =>
      createProject(tx, { name, organizationId, createdById: null }, now),
    )
    process.stdout.write(`Made project ${project.id} with token ${project.apiToken}.\n`)
  })
}

const SHAPE: ListShape<Project> = {
  columns: {
    ID: (project) => String(project.id),
    TOKEN: (project) => project.apiToken,
    ORGANIZATION: (project) => project.organizationId,
    NAME: (project) => project.name,
  },
  fields: ({ id, apiToken, organizationId, name }) => ({
    id,
    api_token: apiToken,
    organization: organizationId,
    name,
  }),
}

async function list(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: JSON_OPTION })
  await withSql(config, async (stores) => {
    const every = { organizationIds: null, ids: null, search: null }
    printList(await stores.projects.list(every, { limit: 10_000, offset: 0 }), SHAPE, values.json)
  })
}

const ACTIONS = { create, list }

export async function projects([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) {
    throw new OperatorError('Say "projects create" or "projects list".')
  }
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
