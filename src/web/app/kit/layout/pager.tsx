/** Below a list that comes in pages, newest first: where one is, and ways to the others. */
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { Button } from '../form/button.tsx'
import styles from './pager.module.css'

interface PagerProps {
  /** Which part of the list this is. */
  words: string
  /** Undefined where there are none. */
  onNewer: (() => void) | undefined
  onOlder: (() => void) | undefined
}

export function Pager({ words, onNewer, onOlder }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className={styles.words} aria-live="polite">
        {words}
      </span>
      {(onNewer || onOlder) && (
        <>
          <Button small icon={<ChevronLeftIcon />} disabled={!onNewer} onClick={onNewer}>
            Newer
          </Button>
          <Button small className={styles.older} icon={<ChevronRightIcon />} disabled={!onOlder} onClick={onOlder}>
            Older
          </Button>
        </>
      )}
    </nav>
  )
}

interface CountedPagerProps {
  count: number
  offset: number
  limit: number
  /** How many are shown. */
  shown: number
  onOffset: (offset: number) => void
}

/** For lists whose length is known. */
export function CountedPager({ count, offset, limit, shown, onOffset }: CountedPagerProps) {
  const end = offset + shown
  return (
    <Pager
      words={shown === 0 ? `None of ${count}` : `${offset + 1}–${end} of ${count}`}
      onNewer={offset > 0 ? () => onOffset(Math.max(0, offset - limit)) : undefined}
      onOlder={end < count ? () => onOffset(end) : undefined}
    />
  )
}
