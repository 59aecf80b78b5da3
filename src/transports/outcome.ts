/** The outcome of sending one message. `reason` may be shown to people: it has no secrets, and only the host of a URL. */

export type Outcome =
  | { kind: 'accepted' }
  /**
   * It may work later. `mayHaveArrived`: only the answer may be lost; a retry may be a duplicate. `isServerDown`: no
   * message can be sent by this server at present.
   */
  | { kind: 'retry'; reason: string; mayHaveArrived: boolean; isServerDown?: true }
  /** This message or this recipient is refused permanently; others may work. */
  | { kind: 'refused'; reason: string }
  /** The target itself is gone: nothing sent there will ever arrive. */
  | { kind: 'gone'; reason: string }

export const accepted: Outcome = { kind: 'accepted' }

export const retry = (reason: string, mayHaveArrived = false): Outcome & { kind: 'retry' } => ({
  kind: 'retry',
  reason,
  mayHaveArrived,
})

export const refused = (reason: string): Outcome => ({ kind: 'refused', reason })

export const gone = (reason: string): Outcome => ({ kind: 'gone', reason })
