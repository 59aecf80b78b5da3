/** The last requests of this screen, each as a line for a shell, so that whatever is seen here can be had by a program. */
import { useState } from 'react'
import { curlLine } from '../../data/requests/curl-line.ts'
import { docsHash } from '../../data/requests/operations.ts'
import { type Remembered, requestLog } from '../../data/requests/request-log.ts'
import { addressOf } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { Code } from '../../kit/text/code.tsx'
import { bytesInWords } from '../../kit/text/number.tsx'
import { useScreen } from '../use-screen.ts'
import styles from './requests-panel.module.css'

const MOST = 12

function facts({ status, ms, bytes, requestId }: Remembered): string {
  const size = bytes === null ? null : bytesInWords(bytes)
  return [status ?? 'no answer', `${ms} ms`, size, requestId].filter((fact) => fact !== null).join(' · ')
}

function Entry({ entry }: { entry: Remembered }) {
  const { method, url } = entry
  const { pathname, search } = new URL(url)
  const hash = docsHash(method, pathname.slice(addressOf('').length))
  return (
    <li className={styles.entry}>
      <h3 className={styles.heading}>
        {method} {pathname + search}
      </h3>
      <p className={styles.facts}>
        <span>{facts(entry)}</span>
        {hash !== '' && (
          <a href={addressOf(`/api/docs/${hash}`)} target="_blank" rel="noreferrer">
            In the API docs
          </a>
        )}
      </p>
      <Code text={curlLine(entry)} label={`${method} ${pathname} as a line for a shell`} />
    </li>
  )
}

export function RequestsPanel({ onClose }: { onClose: () => void }) {
  const log = useStore(requestLog)
  const screen = useScreen()
  const [path] = useState(() => location.pathname.slice(addressOf('').length) || '/')
  const isChanged = log.some((entry) => entry.screen === path && entry.method !== 'GET')
  const [needed] = [screen?.needs].flat()
  const scope = isChanged ? needed?.replace(':read', ':write') : needed
  const own = log.filter((entry) => entry.screen === path).slice(0, MOST)
  return (
    <Dialog title="Requests behind this screen" size="side" onClose={onClose}>
      {own.length === 0 ? (
        <Empty title="None yet">This screen has not asked the server for anything.</Empty>
      ) : (
        <>
          <p>
            With an API key in <code>$HEDGEROW_KEY</code>
            {scope !== undefined && (
              <>
                {' '}
                that has the scope <code>{scope}</code>
              </>
            )}
            , these lines do what the screen did. All operations are in the{' '}
            <a href={addressOf('/api/docs/')} target="_blank" rel="noreferrer">
              API docs
            </a>
            .
          </p>
          <ol className={`plain-list ${styles.list}`}>
            {own.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}
