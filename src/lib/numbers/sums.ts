/**
 * Sums and averages as they are answered. Doubles that are added in another order, or by several threads, differ in the
 * last digits, so what is not exact is rounded to fewer digits than that.
 */

/** Up to here every whole number is a double, so that sums of whole numbers are exact. */
export const MAX_EXACT = 2 ** 53
const SIGNIFICANT_DIGITS = 12
/** Whole numbers up to here are unchanged by rounding. */
export const MAX_UNCHANGED = 10 ** SIGNIFICANT_DIGITS

/** To 12 significant digits. */
export const rounded = (value: number): number =>
  Number.isFinite(value) ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : value

/** `ofWholes`: whether only whole numbers were added. */
export const roundedSum = (sum: number, ofWholes: boolean): number =>
  ofWholes && Math.abs(sum) <= MAX_EXACT ? sum : rounded(sum)

/** Adds with compensation (Neumaier); returns the sum after each value. */
export function runningSums(values: number[]): number[] {
  let [sum, lost, areWholes] = [0, 0, true]
  return values.map((value) => {
    const next = sum + value
    // Beyond the largest number there is nothing to compensate.
    if (Number.isFinite(next)) lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
    areWholes &&= Number.isInteger(value)
    return roundedSum(Number.isFinite(sum) ? sum + lost : sum, areWholes)
  })
}

export const sumOf = (values: number[]): number => runningSums(values).at(-1) ?? 0
