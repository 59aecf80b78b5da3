/** What is around every screen of somebody who is signed in: sidebar, top bar, and what opens over them. */

import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type BootProject, findProject, mayOpen, type Needed, scopeInWords } from '../data/boot.ts'
import { projectQuery } from '../data/projects.ts'
import { isKiosk, type Params } from '../data/search.ts'
import { boot } from '../data/session.ts'
import { shownThing } from '../data/shown-thing.ts'
import { useStore } from '../data/store.ts'
import { nextTheme, setTheme, THEME_NAMES, theme } from '../data/theme.ts'
import { classes } from '../kit/class-names.ts'
import { undoNewest, useTell } from '../kit/overlay/toasts.tsx'
import { Empty } from '../kit/state/empty.tsx'
import { Notice } from '../kit/state/notice.tsx'
import styles from './app-frame.module.css'
import { NoProject } from './no-project.tsx'
import { NotFound } from './not-found.tsx'
import type { Overlay } from './over/overlay.ts'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useScreen, useUnread } from './use-screen.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useTitle } from './use-title.ts'

/** Loaded when first wanted: most visits end without them. */
const HelpDialog = lazy(() => import('./over/help-dialog.tsx').then((file) => ({ default: file.HelpDialog })))
const Palette = lazy(() => import('./over/palette.tsx').then((file) => ({ default: file.Palette })))
const RequestsPanel = lazy(() => import('./over/requests-panel.tsx').then((file) => ({ default: file.RequestsPanel })))

function useThemeKey(): () => void {
  const tell = useTell()
  return () => {
    const next = nextTheme(theme.get())
    setTheme(next)
    tell(`Theme: ${THEME_NAMES[next]}`)
  }
}

/** To the first field of the screen that looks for something. */
function toSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  field?.select()
}

function NotAllowed({ scope }: { scope: Needed | undefined }) {
  const why =
    boot.signed_in?.via === 'key'
      ? 'which the key that you signed in with does not have. Another key, or your password, may.'
      : 'which your level in this organization does not have. An owner or an admin can change that.'
  return (
    <Empty title="You may not open this">
      It needs {scopeInWords(scope)}, {why}
    </Empty>
  )
}

/** The screen, or why it is not shown. */
function Content({ project }: { project: BootProject }) {
  const screen = useScreen()
  const unread = useUnread()
  const names = unread.map((name) => `“${name}”`).join(', ')
  if (screen && !mayOpen(boot, project, screen)) return <NotAllowed scope={screen.needs} />
  return (
    <>
      {unread.length > 0 && <Notice>The address has parts that this screen does not understand: {names}.</Notice>}
      <Outlet />
    </>
  )
}

export function AppFrame() {
  const { project: named } = useParams({ strict: false }) as { project?: string }
  const project = findProject(boot, named)
  if (project) return <ProjectFrame project={project} />
  return boot.signed_in?.project_count === 0 ? <NoProject /> : <NotFound />
}

/** As it is called now, where that is known: it may have been renamed since the page was loaded. */
function useNamed(project: BootProject): BootProject {
  const { data } = useQuery({ ...projectQuery(project.id), enabled: false })
  return { ...project, name: data?.name ?? project.name }
}

function ProjectFrame({ project: booted }: { project: BootProject }) {
  const project = useNamed(booted)
  const screen = useScreen()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  const path = useRouterState({ select: (state) => state.location.pathname })
  const main = useRef<HTMLElement>(null)
  const kiosk = isKiosk(useSearch({ strict: false }) as Params)
  const title = useStore(shownThing) ?? screen?.name
  useTitle(title, project.name)
  const pathOf = (screenPath: string) => screenPath.replace('$project', String(project.id))
  const open = (what: Overlay) => () => setOverlay(what)
  useShortcuts(
    {
      palette: open('palette'),
      help: open('help'),
      requests: open('requests'),
      search: toSearch,
      theme: useThemeKey(),
      undo: undoNewest,
    },
    pathOf,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another screen, which begins at its top
  useEffect(() => {
    setOverlay(null)
    main.current?.scrollTo({ top: 0 })
  }, [path])
  const close = () => setOverlay(null)
  return (
    <div className={classes(styles.frame, kiosk && styles.kiosk)}>
      {!kiosk && (
        <>
          <a className={`visually-hidden ${styles.skip}`} href="#main">
            Skip to the content
          </a>
          <Sidebar project={project} pathOf={pathOf} isOpen={overlay === 'menu'} onClose={close} />
        </>
      )}
      <div className={styles.side}>
        {!kiosk && <TopBar title={title ?? ''} isLoading={isLoading} onOpen={setOverlay} />}
        <main id="main" ref={main} className={styles.main} tabIndex={-1}>
          {kiosk && <h1 className="visually-hidden">{title}</h1>}
          <div className={classes(styles.content, screen?.wide === true && styles.wide)}>
            <Content project={project} />
          </div>
        </main>
      </div>
      <Suspense>
        {overlay === 'palette' && <Palette project={project} pathOf={pathOf} onOpen={setOverlay} onClose={close} />}
        {overlay === 'help' && <HelpDialog onClose={close} />}
        {overlay === 'requests' && <RequestsPanel onClose={close} />}
      </Suspense>
    </div>
  )
}
