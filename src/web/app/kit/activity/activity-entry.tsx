/** Entries of the activity log: the sentence, when, what it changed, and undoing it. */
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import { classes } from '../class-names.ts'
import { Button } from '../form/button.tsx'
import type { ListHandle } from '../list/list-table.tsx'
import { wholeList } from '../list/whole-list.ts'
import { Problem } from '../state/problem.tsx'
import { Moment } from '../text/moment.tsx'
import styles from './activity.module.css'
import {
  changeName,
  changesInWords,
  isErased,
  sentenceOf,
  type ToldChange,
  type ToldEntry,
  valueInWords,
} from './sentences.ts'

/** What can be done about an entry that can be undone. */
interface Undoing {
  isBusy: boolean
  error: unknown
  /** Why it cannot be asked for; undefined: it can. */
  reason: string | undefined
  run: () => void
}

interface EntryProps {
  entry: ToldEntry
  zone: string
  /** Lists what one user did; not for the server, nor for users who are gone. */
  onUser?: (user: string) => void
  /** Lists what was done to one thing; left out where only one is looked at. */
  onItem?: (scope: string, itemId: string) => void
  undo?: Undoing | undefined
}

export function ActivityList({ handle, children }: { handle?: Ref<ListHandle>; children: ReactNode }) {
  const list = useRef<HTMLOListElement>(null)
  useImperativeHandle(handle, () => wholeList(() => list.current), [])
  return (
    <ol ref={list} className={`plain-list ${styles.entries}`}>
      {children}
    </ol>
  )
}

export function ActivityEntry({ entry, zone, onUser, onItem, undo }: EntryProps) {
  const { changes } = entry.detail
  const isOpened = changes?.every(isErased) === false
  return (
    <li className={styles.entry}>
      <Sentence entry={entry} isOpened={isOpened} {...(onUser && { onUser })} {...(onItem && { onItem })} />
      <span className={styles.end}>
        <span className={styles.when}>
          <Moment at={entry.created_at} zone={zone} />
        </span>
        {undo && (
          <Button small busy={undo.isBusy} reason={undo.reason} onClick={undo.run}>
            Undo
          </Button>
        )}
      </span>
      {undo?.error != null && (
        <div className={styles.whole}>
          <Problem error={undo.error} />
        </div>
      )}
      {changes && changes.length > 0 && <Changes changes={changes} />}
    </li>
  )
}

interface SentenceProps extends Pick<EntryProps, 'entry' | 'onUser' | 'onItem'> {
  /** What it changed is opened below; otherwise keys go to the thing it is about. */
  isOpened: boolean
}

function Sentence({ entry, isOpened, onUser, onItem }: SentenceProps) {
  const { who, did, what } = sentenceOf(entry)
  const { user, scope, item_id } = entry
  const { uuid } = user
  return (
    <p className={styles.sentence}>
      {uuid === undefined || !onUser ? (
        <strong>{who}</strong>
      ) : (
        <button type="button" className={styles.link} title={`Only what ${who} did`} onClick={() => onUser(uuid)}>
          {who}
        </button>
      )}{' '}
      <span>{did}</span>{' '}
      {onItem && item_id !== null && (
        <button
          type="button"
          data-row={isOpened ? undefined : true}
          className={styles.link}
          title="Only what was done to it"
          onClick={() => onItem(scope, item_id)}
        >
          {what}
        </button>
      )}
      {onItem && item_id === null && <span>{what}</span>}
    </p>
  )
}

function Changes({ changes }: { changes: readonly ToldChange[] }) {
  if (changes.every(isErased)) return <p className={styles.when}>What it was is erased with the person.</p>
  return (
    <details className={styles.changes}>
      <summary data-row>{changesInWords(changes)}</summary>
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry never changes
        <div key={index} className={styles.change}>
          <span className={styles.field}>{changeName(change)}</span>
          <Value side="Before" look={styles.before} value={change.before} />
          <Value side="After" look={styles.after} value={change.after} />
        </div>
      ))}
    </details>
  )
}

function Value({ side, look, value }: { side: string; look: string | undefined; value: unknown }) {
  const isNone = value === null || value === undefined
  return (
    <div>
      <div className={styles.side}>{side}</div>
      {isNone ? (
        <span className={styles.when}>nothing</span>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by the keyboard too
        <pre className={classes(styles.value, look)} tabIndex={0}>
          {valueInWords(value)}
        </pre>
      )}
    </div>
  )
}
