/** After the tests: which engines had which files. */
import type { TestProject } from 'vitest/node'
import { noChdb } from '../clickhouse/chdb.ts'

/** Test files with the contract suites, and what they are of. */
const CONTRACTS = {
  'postgres.contract.test.ts': 'SQL',
  'clickhouse/events.test.ts': 'events',
  'clickhouse/current-server.test.ts': 'events',
  's3/blobs.test.ts': 'blobs',
}

function summary(project: TestProject): string {
  const files = project.vitest.state.getFiles()
  const { postgresEngines, postgresMissing, clickhouse } = project.getProvidedContext()
  const isMissing = typeof clickhouse === 'string'
  const [newest = { name: 'PostgreSQL' }] = postgresEngines
  const ran = (engines: string, name: string) => {
    const { length } = files.filter(({ projectName }) => projectName === name)
    return length === 0 ? [] : [`${engines}: ${length === 1 ? '1 file' : `${length} files`}`]
  }
  const contracts = (path: keyof typeof CONTRACTS, engines: string) =>
    files.some(({ filepath }) => filepath.endsWith(path)) ? [`${engines}: the contracts of ${CONTRACTS[path]}`] : []
  const had = [
    ...ran('SQLite, DuckDB and files', 'embedded'),
    ...ran(`${newest.name}, ClickHouse 18.16 and S3`, 'scale'),
    ...ran(`${newest.name} that is killed`, 'killed-postgres'),
    ...contracts('postgres.contract.test.ts', postgresEngines.map(({ name }) => name).join(' and ')),
    ...(isMissing ? [] : contracts('clickhouse/events.test.ts', 'ClickHouse 18.16')),
    ...(noChdb ? [] : contracts('clickhouse/current-server.test.ts', 'ClickHouse 26.5')),
    ...contracts('s3/blobs.test.ts', 'S3'),
  ]
  const missing = [...postgresMissing, ...(isMissing ? [clickhouse] : []), ...(noChdb ? [noChdb] : [])]
  return [had.join('; '), ...missing.map((what) => `Not there, so not run: ${what}`)].join('\n')
}

/** First of all set-ups, so that it is the last to end. */
export const setup = (project: TestProject) => (): void => console.log(summary(project))
