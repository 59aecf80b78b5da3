/** Where one can go: the project, the screens of screens.ts by their places, and the menu of the user. */
import { ArchiveIcon, ExternalLinkIcon, GearIcon, LockClosedIcon, PersonIcon, RocketIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { type BootProject, mayOpen, scopeInWords } from '../data/boot.ts'
import { addressOf, boot } from '../data/session.ts'
import { classes } from '../kit/class-names.ts'
import { type Screen, screens } from '../screens.ts'
import { ProjectSwitcher } from './project-switcher.tsx'
import styles from './sidebar.module.css'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  project: BootProject
  pathOf: (path: string) => string
  /** On a phone it is a drawer. */
  isOpen: boolean
  onClose: () => void
}

type Place = Exclude<Screen['in'], 'account' | 'thing'>

const PLACES: [Place, string, ReactNode][] = [
  ['look', 'Product', <RocketIcon key="look" />],
  ['records', 'Records', <ArchiveIcon key="records" />],
  ['project', 'Project settings', <GearIcon key="project" />],
  ['you', 'You', <PersonIcon key="you" />],
]

function Section({
  place,
  name,
  icon,
  project,
  pathOf,
}: Pick<SidebarProps, 'project' | 'pathOf'> & { place: Place; name: string; icon: ReactNode }) {
  const rows = screens.filter((screen) => screen.in === place)
  return (
    <section className={styles.section} aria-label={name}>
      <h2 className={styles.heading}>
        {icon}
        <span>{name}</span>
      </h2>
      <ul className="plain-list">
        {rows.map((screen) => (
          <li key={screen.path}>
            <ScreenLink screen={screen} to={pathOf(screen.path)} isOpen={mayOpen(boot, project, screen)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ScreenLink({ screen, to, isOpen }: { screen: Screen; to: string; isOpen: boolean }) {
  return (
    <Link
      to={to}
      className={classes(styles.link, !isOpen && styles.forbidden)}
      title={isOpen ? undefined : `Needs ${scopeInWords(screen.needs)}`}
      activeProps={{ 'aria-current': 'page' }}
    >
      <span>{screen.name}</span>
      {!isOpen && <LockClosedIcon aria-hidden="true" />}
    </Link>
  )
}

function Inside({ project, pathOf }: Pick<SidebarProps, 'project' | 'pathOf'>) {
  return (
    <>
      <ProjectSwitcher project={project} />
      <nav className={styles.nav} aria-label="Main">
        {PLACES.map(([place, name, icon]) => (
          <Section key={place} place={place} name={name} icon={icon} project={project} pathOf={pathOf} />
        ))}
        <a className={styles.link} href={addressOf('/api/docs/')} target="_blank" rel="noreferrer">
          <span>API docs</span>
          <ExternalLinkIcon aria-hidden="true" />
        </a>
      </nav>
      <UserMenu />
    </>
  )
}

/** The drawer is a dialog, so that Escape and a click beside it close it and the rest is out of reach meanwhile. */
function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  // As of every dialog: out of the page the browser gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the drawer is one way more; Escape is the key for it
    <dialog
      ref={ref}
      className={styles.drawer}
      aria-label="Menu"
      onCancel={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className={styles.inside}>{children}</div>
    </dialog>
  )
}

export function Sidebar({ project, pathOf, isOpen, onClose }: SidebarProps) {
  return (
    <>
      <aside className={classes(styles.sidebar, styles.inside)} aria-label="Projects, screens and you">
        <Inside project={project} pathOf={pathOf} />
      </aside>
      {isOpen && (
        <Drawer onClose={onClose}>
          <Inside project={project} pathOf={pathOf} />
        </Drawer>
      )}
    </>
  )
}
