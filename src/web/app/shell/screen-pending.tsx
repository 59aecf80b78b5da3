/** In place of a screen whose code or data is on its way. */
import { Skeleton } from '../kit/state/skeleton.tsx'

export function ScreenPending() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton lines={6} />
    </div>
  )
}
