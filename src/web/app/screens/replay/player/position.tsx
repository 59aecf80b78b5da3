/** Where in the recording one is: a slider below marks of what happened and the time in which the visitor was active. */
import { memo } from 'react'
import { clockTime } from '../../../../../lib/time/clock-time.ts'
import type { ActivitySpan, PlayerEntry } from '../../../data/recordings/player.ts'
import type { Player, Span } from '../../../data/recordings/use-player.ts'
import { useStore } from '../../../data/store.ts'
import { classes } from '../../../kit/class-names.ts'
import styles from './player.module.css'

const SECOND = 1_000

export function Position({ player, span }: { player: Player; span: Span }) {
  const { time } = useStore(player.state)
  const { start, end } = span
  return (
    <div className={styles.position}>
      <Marks entries={player.entries} span={span} />
      <Active spans={player.activity} span={span} />
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${clockTime(time - start)} of ${clockTime(end - start)}`}
        min={0}
        max={(end - start) / SECOND}
        step={0.1}
        value={(time - start) / SECOND}
        onChange={(event) => player.seek(start + Number(event.currentTarget.value) * SECOND)}
      />
    </div>
  )
}

const MARKED = { page: styles.page, click: styles.click, error: styles.error } as const

const isMarked = (kind: PlayerEntry['kind']): kind is keyof typeof MARKED => kind in MARKED

/** Marks that would cover each other are one. */
const SHARES = 400

interface Mark {
  kind: keyof typeof MARKED
  at: number
}

function marksOf(entries: readonly PlayerEntry[], { start, end }: Span): Mark[] {
  const found = new Map<string, Mark>()
  for (const { kind, timestamp } of entries) {
    if (!isMarked(kind) || timestamp < start || timestamp > end) continue
    const at = Math.round(((timestamp - start) / Math.max(1, end - start)) * SHARES) / SHARES
    found.set(`${kind} ${at}`, { kind, at })
  }
  return [...found.values()]
}

/** Not drawn again while it plays. */
const Marks = memo(function Marks({ entries, span }: { entries: readonly PlayerEntry[]; span: Span }) {
  return (
    <div className={styles.marks} aria-hidden="true">
      {marksOf(entries, span).map(({ kind, at }) => (
        <span key={`${kind} ${at}`} className={classes(styles.mark, MARKED[kind])} style={{ left: `${at * 100}%` }} />
      ))}
    </div>
  )
})

interface Part {
  key: number
  isActive: boolean
  left: string
  width: string
}

/** What lies within the span, as shares of it. */
const partsOf = (spans: readonly ActivitySpan[], { start, end }: Span): Part[] =>
  spans.flatMap(({ from, to, isActive }) => {
    const [first, last] = [from, to].map((time) => Math.max(0, Math.min(1, (time - start) / Math.max(1, end - start))))
    if (first === undefined || last === undefined || first >= last) return []
    return [{ key: from, isActive, left: `${first * 100}%`, width: `${(last - first) * 100}%` }]
  })

/** For the eye; how much of it is active time stands in words in the head. */
const Active = memo(function Active({ spans, span }: { spans: readonly ActivitySpan[]; span: Span }) {
  return (
    <div className={styles.band} aria-hidden="true">
      {partsOf(spans, span).map(({ key, isActive, left, width }) => (
        <span key={key} className={classes(styles.part, isActive && styles.active)} style={{ left, width }} />
      ))}
    </div>
  )
})
