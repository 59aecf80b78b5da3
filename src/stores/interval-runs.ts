/** Adjacent intervals of equal length, in which an instant's interval is found by a division. */
export interface Run {
  /** Which interval is the first of them. */
  first: number
  start: number
  step: number
}

export function runsOf(edges: number[]): Run[] {
  const runs: Run[] = []
  for (let place = 0; place + 1 < edges.length; place++) {
    const start = edges[place] ?? 0
    const step = (edges[place + 1] ?? 0) - start
    if (runs.at(-1)?.step !== step) runs.push({ first: place, start, step })
  }
  return runs
}
