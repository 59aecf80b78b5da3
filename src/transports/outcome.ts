/** What came of handing one message to its receiver. `reason` may be shown to people: no secret, of a URL the host only. */

export type Outcome =
  | { kind: 'accepted' }
  /** It may work later. `mayHaveArrived`: the answer was lost, not the message; a repeat may be a second one. */
  | { kind: 'retry'; reason: string; mayHaveArrived: boolean }
  /** This message or this recipient is refused for good; others may do. */
  | { kind: 'refused'; reason: string }
  /** The target itself is no more: nothing sent there will ever arrive. */
  | { kind: 'gone'; reason: string }

export const accepted: Outcome = { kind: 'accepted' }

export const retry = (reason: string, mayHaveArrived = false): Outcome => ({ kind: 'retry', reason, mayHaveArrived })

export const refused = (reason: string): Outcome => ({ kind: 'refused', reason })

export const gone = (reason: string): Outcome => ({ kind: 'gone', reason })
