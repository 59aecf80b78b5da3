/**
 * `npm run api-types`: writes what the web app knows of the API, as types, from the route list. A test fails when the file
 * is not what the routes say (test/web/api-types.test.ts).
 */
import { writeFileSync } from 'node:fs'
import { makeApiTypes, SCHEMA_FILE } from './make-api-types.ts'

writeFileSync(SCHEMA_FILE, await makeApiTypes())
