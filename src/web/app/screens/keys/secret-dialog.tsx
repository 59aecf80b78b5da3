/** The secret of a new key, this once: it lives in this dialog only. Leaving asks whether it is stored. */
import { DownloadIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { Key } from '../../data/keys.ts'
import { apiHost } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { Row } from '../../kit/layout/card.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Code, CopyButton } from '../../kit/text/code.tsx'

interface SecretDialogProps {
  made: Key
  onClose: () => void
}

function saveAsFile(name: string, text: string): void {
  const link = document.createElement('a')
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export function SecretDialog({ made, onClose }: SecretDialogProps) {
  const [isLeaving, setLeaving] = useState(false)
  const secret = made.value ?? ''
  const line = `HEDGEROW_KEY=${secret}`
  const curl = `curl -H "Authorization: Bearer $HEDGEROW_KEY" '${apiHost}/api/projects/'`
  return (
    <Dialog
      title={`“${made.label}” is ready`}
      size="wide"
      keep
      onClose={() => setLeaving(true)}
      actions={
        isLeaving ? (
          <>
            <span>Have you stored it? It is not shown again.</span>
            <Button onClick={() => setLeaving(false)}>Not yet</Button>
            <Button kind="main" onClick={onClose}>
              Yes, close
            </Button>
          </>
        ) : (
          <Button kind="main" onClick={() => setLeaving(true)}>
            Done
          </Button>
        )
      }
    >
      <Notice kind="warn">This is the only time that the secret is shown. Store it where your program finds it.</Notice>
      <Code text={secret} label="The secret" />
      <Row>
        <CopyButton text={line} name="Copy as a line of .env" />
        <Button small icon={<DownloadIcon />} onClick={() => saveAsFile('hedgerow.env', `${line}\n`)}>
          Save as .env
        </Button>
      </Row>
      <p>With it in the environment, this lists the projects that it reaches:</p>
      <Code text={curl} label="A request with the key" />
    </Dialog>
  )
}
