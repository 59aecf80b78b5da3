/**
 * Lines of a breakdown: which of them a text belongs to, as SQL, and their order. The texts with their own line are asked
 * for first: in one statement with what is counted, the oldest server takes nested queries apart and loses columns.
 */
import type { BreakdownValue } from '../../../model/insights/insight-question.ts'
import { breakdownOf, NONE, OTHER, VALUE } from '../../insight-answers.ts'
import { isOneOf, text as literal } from '../values/literal.ts'

/** SQL of the line of a text, as one text; `top`: the texts that have their own. */
export const lineSql = (text: string, top: string[]): string =>
  `multiIf(${text} = '', '${NONE}', ${isOneOf(text, top, literal)}, concat('${VALUE}', ${text}), '${OTHER}')`

/** The same of a text that is known. */
export const lineOf = (text: string, top: ReadonlySet<string>): string => {
  if (text === '') return `${NONE}`
  return top.has(text) ? `${VALUE}${text}` : `${OTHER}`
}

/** The found lines in their order: values with the largest first, then none, then the others. */
export function readLines<T>(found: Map<string, T>, top: string[]): [BreakdownValue, T][] {
  const lines = [...top.map((text) => `${VALUE}${text}`), `${NONE}`, `${OTHER}`]
  return lines.flatMap((line): [BreakdownValue, T][] => {
    const what = found.get(line)
    return what === undefined ? [] : [[breakdownOf(Number(line.slice(0, 1)), line.slice(1)), what]]
  })
}
