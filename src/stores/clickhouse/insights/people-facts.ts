/** What a question wants of the present properties of people, as SQL. Somebody who is deleted has none, as nobody has. */
import type { Reading } from '../parts.ts'
import { breakdownText } from '../properties/property-sql.ts'
import { int } from '../values/literal.ts'

const peopleOf = (projectId: number): string => `FROM persons WHERE project_id = ${int(projectId)} GROUP BY person_id`

/** SQL of these rows, which have `who`, with `person_text`: the text that their persons have under the key, or none. */
export const withPersonText = ({ columns }: Reading, rows: string, projectId: number, key: string): string =>
  `(${rows}) AS found GLOBAL ANY LEFT JOIN (
    SELECT person_id AS who, argMax(if(deleted = 1, '', ${breakdownText(key, columns.persons)}), seq) AS person_text
    ${peopleOf(projectId)} HAVING person_text != '') AS people USING (who)`
