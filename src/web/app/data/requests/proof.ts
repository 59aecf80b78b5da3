/** Somebody has to prove who they are once more: the frame shows a dialog for whoever waits here. */
import { createStore } from '../store.ts'

export interface Proof {
  done: (isProved: boolean) => void
}

export const wantedProof = createStore<Proof | null>(null)

let asking: Promise<boolean> | null = null

/** True when it was proved; requests that ask at the same time share one dialog. */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    const done = (isProved: boolean) => {
      asking = null
      wantedProof.set(() => null)
      resolve(isProved)
    }
    wantedProof.set(() => ({ done }))
  })
  return asking
}
