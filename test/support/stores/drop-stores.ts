/** After each file of a project with stores elsewhere: those of folders that its tests have not ended go. */
import { afterAll } from 'vitest'
import { dropAllStores } from './stores.ts'

afterAll(dropAllStores)
