/** The title of the screen and what can be done everywhere. A thin bar tells that something is on its way. */
import { CodeIcon, HamburgerMenuIcon, MagnifyingGlassIcon, QuestionMarkCircledIcon } from '@radix-ui/react-icons'
import { Button, IconButton } from '../kit/form/button.tsx'
import type { Overlay } from './over/overlay.ts'
import styles from './top-bar.module.css'

interface TopBarProps {
  title: string
  isLoading: boolean
  onOpen: (what: Overlay) => void
}

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

export function TopBar({ title, isLoading, onOpen }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <div className={styles.menu}>
        <IconButton label="Menu" icon={<HamburgerMenuIcon />} onClick={() => onOpen('menu')} />
      </div>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.actions}>
        <Button
          kind="quiet"
          icon={<MagnifyingGlassIcon />}
          onClick={() => onOpen('palette')}
          title="Go anywhere, do anything"
        >
          <span className={styles.wide}>
            Go to <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
          </span>
        </Button>
        <Button kind="quiet" icon={<CodeIcon />} onClick={() => onOpen('requests')}>
          <span className={styles.wide}>Show request</span>
        </Button>
        <IconButton label="Keyboard shortcuts" icon={<QuestionMarkCircledIcon />} onClick={() => onOpen('help')} />
      </div>
      {isLoading && <div className={styles.progress} role="progressbar" aria-label="Loading" />}
    </header>
  )
}
