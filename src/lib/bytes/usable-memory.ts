/** How much memory this process may use. */
import { totalmem } from 'node:os'

/** Bytes: the limit of its container when there is one, otherwise what the machine has. */
export function usableMemory(constrained = process.constrainedMemory(), total = totalmem()): number {
  // Without a limit the system names 0, or more than any machine has.
  return constrained > 0 && constrained < total ? constrained : total
}
