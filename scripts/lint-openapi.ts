/** Part of `npm run check`: prints what the rule sets find in the API document, and fails if that is anything. */
import { lint, makeDocument } from './openapi-rules.ts'

const problems = await lint(makeDocument())
for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error(`The API document breaks the rules in ${problems.length} places.`)
  process.exitCode = 1
}
