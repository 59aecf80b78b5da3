/**
 * Goes anywhere and does anything by a few letters: a field and a list, as WAI-ARIA describes a combobox. Arrows choose,
 * Enter does it.
 */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { BootProject } from '../../data/boot.ts'
import { isKiosk, type Params } from '../../data/search.ts'
import { usePathIn } from '../use-screen.ts'
import { type Command, commandsFor, matching } from './commands.ts'
import type { Overlay } from './overlay.ts'
import styles from './palette.module.css'

interface PaletteProps {
  project: BootProject
  pathOf: (path: string) => string
  onOpen: (what: Overlay) => void
  onClose: () => void
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function useCommands({ project, pathOf, onOpen }: PaletteProps): Command[] {
  const navigate = useNavigate()
  const params = useSearch({ strict: false }) as Params
  const setKiosk = (on: boolean) =>
    navigate({ to: '.', search: ((now: Params) => ({ ...now, kiosk: on ? '1' : undefined })) as never })
  return commandsFor({
    project,
    pathOf,
    pathIn: usePathIn(),
    go: (path) => navigate({ to: path }),
    open: onOpen,
    isKiosk: isKiosk(params),
    setKiosk,
  })
}

export function Palette(props: PaletteProps) {
  const { onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = matching(useCommands(props), text)
  const chosen = found[Math.min(at, found.length - 1)]
  // Before it leaves the page: out of it the browser gives no focus back.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  const run = ({ run: act }: Command) => {
    onClose()
    act()
  }
  const pressed = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by !== undefined) {
      event.preventDefault()
      setAt((found.length + at + by) % Math.max(found.length, 1))
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it is one way more; Escape is the key for it
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Go anywhere, do anything"
      onCancel={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        className={styles.field}
        role="combobox"
        aria-label="Search screens, projects and commands"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && `${id}-${chosen.id}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Where to, or what to do?"
        value={text}
        onKeyDown={pressed}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
      />
      <Found id={id} found={found} chosen={chosen} onRun={run} />
    </dialog>
  )
}

interface FoundProps {
  id: string
  found: Command[]
  chosen: Command | undefined
  onRun: (command: Command) => void
}

function Found({ id, found, chosen, onRun }: FoundProps) {
  return (
    <>
      <div id={`${id}-list`} role="listbox" aria-label="Found" className={styles.list}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            className={styles.option}
            ref={command === chosen ? scrollIntoView : undefined}
            onClick={() => onRun(command)}
          >
            <span className={styles.name}>{command.name}</span>
            <span className={styles.about}>{command.about}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? styles.none : 'visually-hidden'}>
        {found.length === 0 ? 'Nothing by these words.' : `${found.length} found`}
      </p>
    </>
  )
}

const scrollIntoView = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' })
