/** Asks before a recording is deleted, which cannot be undone. */
import { useNavigate } from '@tanstack/react-router'
import { useDeleteRecording } from '../../data/recordings/change-recordings.ts'
import type { Recording } from '../../data/recordings/recordings.ts'
import { personPath, useProject } from '../../data/session.ts'
import { Confirm } from '../../kit/overlay/confirm.tsx'
import { useTell } from '../../kit/overlay/toasts.tsx'

export function DeleteDialog({ recording, onClose }: { recording: Recording; onClose: () => void }) {
  const project = useProject()
  const remove = useDeleteRecording(project.id)
  const navigate = useNavigate()
  const tell = useTell()
  const deleted = () => {
    tell('The recording is deleted')
    void navigate({ to: personPath(project, recording.distinct_id) })
  }
  return (
    <Confirm
      title="Delete this recording?"
      action="Delete the recording"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(recording.id, { onSuccess: deleted })}
    >
      <p>What can be seen here is gone at once, and its shared links lead nowhere. The events of the session stay.</p>
    </Confirm>
  )
}
