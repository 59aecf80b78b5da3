/** After each file of a project on PostgreSQL: the databases of folders that its tests have not ended go. */
import { afterAll } from 'vitest'
import { dropAllSql } from '../sql.ts'

afterAll(dropAllSql)
