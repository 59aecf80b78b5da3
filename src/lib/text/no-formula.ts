/** Some spreadsheets accept full-width signs, and ignore invisible characters before a sign (U+2800 is a blank). */
const FORMULA = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠\t\r\n]/u

/** Text for a cell of a spreadsheet, which would run some of it as a formula: that gets a leading `'`. */
export const noFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
