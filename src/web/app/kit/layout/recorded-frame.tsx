/** A recorded page in a frame of its own. To be looked at only: a recorded field or link must not get the focus, and with it the keys. */
import type { Ref } from 'react'

interface RecordedFrameProps {
  frame: Ref<HTMLIFrameElement>
  /** Of the player's page. */
  address: string
  className: string | undefined
}

export const RecordedFrame = ({ frame, address, className }: RecordedFrameProps) => (
  <iframe
    ref={frame}
    className={className}
    title="The recorded page"
    src={address}
    sandbox="allow-scripts allow-same-origin"
    inert
  />
)
