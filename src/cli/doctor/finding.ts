/** One thing that `hedgerow doctor` has looked at. */
export interface Finding {
  state: 'ok' | 'warn' | 'fail'
  /** The finding, and what to do if it is not ok. */
  words: string
}
