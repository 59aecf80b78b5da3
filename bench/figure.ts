/** One line of the bench: a ratio measured in this run, and the bar it has to meet. */

export interface Measured {
  ratio: number
  /** The two sides of the ratio, for the reader; never compared between runs. */
  from: string
}

/** A line as it is printed. */
export interface Line {
  name: string
  bar: { atLeast: number } | { atMost: number }
}

/** Its name is also matched by `npm run bench -- <word>`. */
export interface Figure extends Line {
  measure(say: (progress: string) => void): Promise<Measured>
}

export const meets = ({ bar }: Line, ratio: number): boolean =>
  'atLeast' in bar ? ratio >= bar.atLeast : ratio <= bar.atMost

const NAME_WIDTH = 54

export function formatLine(figure: Line, { ratio, from }: Measured): string {
  const bar = 'atLeast' in figure.bar ? `≥ ${figure.bar.atLeast.toFixed(2)}` : `≤ ${figure.bar.atMost.toFixed(2)}`
  const verdict = meets(figure, ratio) ? 'ok  ' : 'FAIL'
  return `${figure.name.padEnd(NAME_WIDTH)} ${ratio.toFixed(2).padStart(6)}   (bar ${bar})  ${verdict}  ${from}`
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Alternating rounds of ours and theirs, the first of which warms up: the median of their ratios, and of each side. */
export async function inTurns(
  rounds: number,
  round: (n: number) => Promise<[ours: number, theirs: number]>,
): Promise<{ ratio: number; ours: number; theirs: number }> {
  const rates: [number, number][] = []
  for (let n = 0; n <= rounds; n++) {
    const pair = await round(n)
    if (n > 0) rates.push(pair)
  }
  return {
    ratio: median(rates.map(([ours, theirs]) => ours / theirs)),
    ours: median(rates.map(([ours]) => ours)),
    theirs: median(rates.map(([, theirs]) => theirs)),
  }
}
