/** Letting somebody see a recording who has no account: the link, what is to be seen there, and who may. */
import { useQuery } from '@tanstack/react-query'
import { mayUse } from '../../../data/boot.ts'
import type { Recording } from '../../../data/recordings/recordings.ts'
import { SHARING_SCOPES, type Sharing, sharingQuery, useChangeSharing } from '../../../data/recordings/sharing.ts'
import { useProject } from '../../../data/session.ts'
import { SwitchField } from '../../../kit/form/field.tsx'
import { Stack } from '../../../kit/layout/card.tsx'
import { Dialog } from '../../../kit/overlay/dialog.tsx'
import { Empty } from '../../../kit/state/empty.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Skeleton } from '../../../kit/state/skeleton.tsx'
import { ShareLink } from './share-link.tsx'
import { SharePasswords } from './share-passwords.tsx'
import { SharedLook } from './shared-look.tsx'

interface ShareDialogProps {
  recording: Recording
  /** Where the player is, in whole seconds of the recording. */
  second: number
  onClose: () => void
}

export function ShareDialog({ recording, second, onClose }: ShareDialogProps) {
  const { id, scopes } = useProject()
  const isAllowed = mayUse(scopes, SHARING_SCOPES.read)
  const { data, error, refetch } = useQuery({ ...sharingQuery(id, recording.id), enabled: isAllowed })
  return (
    <Dialog title="Share this recording" size="wide" onClose={onClose}>
      {!isAllowed && <Empty title="You may not share">It needs the scope {SHARING_SCOPES.read}.</Empty>}
      {error && <Problem error={error} onRetry={() => refetch()} />}
      {isAllowed && !error && !data && <Skeleton lines={6} />}
      {data && <Shared recording={recording} sharing={data} second={second} />}
    </Dialog>
  )
}

interface SharedProps extends Pick<ShareDialogProps, 'recording' | 'second'> {
  sharing: Sharing
}

function Shared({ recording, sharing, second }: SharedProps) {
  const { id, scopes } = useProject()
  const change = useChangeSharing(id, recording.id)
  const mayWrite = mayUse(scopes, SHARING_SCOPES.write)
  const state = { disabled: !mayWrite, busy: change.isPending }
  return (
    <Stack wide>
      <SwitchField
        label="Anybody with the link can watch it"
        hint={
          mayWrite
            ? 'They see what was recorded, the addresses of its pages and when; no name, no id, no property of the person, and nothing else of the project. Switched off, the link is dead for good.'
            : `Changing it needs the scope ${SHARING_SCOPES.write}.`
        }
        checked={sharing.enabled}
        {...state}
        onChecked={(enabled) => change.mutate({ enabled })}
      />
      {change.error && <Problem error={change.error} />}
      {sharing.enabled && sharing.url !== null && (
        <>
          <ShareLink recording={recording} url={sharing.url} second={second} mayWrite={mayWrite} />
          <SharedLook
            settings={sharing.settings ?? {}}
            {...state}
            onSettings={(settings) => change.mutate({ settings })}
          />
          <SwitchField
            label="Only with a password"
            checked={sharing.password_required}
            {...state}
            onChecked={(password_required) => change.mutate({ password_required })}
          />
          {sharing.password_required && (
            <SharePasswords recording={recording} passwords={sharing.share_passwords} mayWrite={mayWrite} />
          )}
        </>
      )}
    </Stack>
  )
}
