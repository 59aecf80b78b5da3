/** The routes, made of screens.ts and of nothing else. Addresses hold plain text, under the API's own names. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { type BootData, findProject, mayOpen } from './data/boot.ts'
import { queryClient } from './data/query-client.ts'
import { COMMON, type Params } from './data/search.ts'
import { type Address, type Screen, screens } from './screens.ts'
import { AppFrame } from './shell/app-frame.tsx'
import { BareFrame } from './shell/bare-frame.tsx'
import { NotFound } from './shell/not-found.tsx'
import { ScreenPending } from './shell/screen-pending.tsx'
import { ScreenProblem } from './shell/screen-problem.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: Screen
  }
}

/** For so long what was shown before stays, under a bar that moves. */
const PENDING_MS = 300
/** So that it does not flash. */
const PENDING_MIN_MS = 200

const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

const START = '/project/$project/start'

/** Where `/` leads: to sending an event while there is none, then to the first screen that one may open. */
function firstPath(boot: BootData): string {
  const { signed_in } = boot
  if (!signed_in) return '/login'
  const [first] = signed_in.projects
  const current = signed_in.projects.find(({ id }) => id === signed_in.current_project) ?? first
  const isOpen = (screen: Screen) =>
    screen.in !== 'account' && screen.path !== START && current && mayOpen(boot, current, screen)
  const path = (current?.ingested_event ? screens.find(isOpen)?.path : undefined) ?? START
  return path.replace('$project', current ? String(current.id) : 'none')
}

/** What fails is asked for again, and told, by the screen itself. */
async function load(screen: Screen, boot: BootData, address: Address): Promise<void> {
  const project = findProject(boot, address.path.project)
  if (!project || !screen.load || !mayOpen(boot, project, screen)) return
  await Promise.all(screen.load(project, address).map((query) => queryClient.prefetchQuery({ ...query, retry: false })))
}

function createTree(boot: BootData) {
  const root = createRootRoute({
    notFoundComponent: NotFound,
    validateSearch: (params: Record<string, unknown>) => params as Params,
    search: { middlewares: [retainSearchParams<Params>([...COMMON])] },
  })
  const first = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: firstPath(boot), replace: true })
    },
  })
  const bare = createRoute({ getParentRoute: () => root, id: 'bare', component: BareFrame })
  const framed = createRoute({
    getParentRoute: () => root,
    id: 'framed',
    component: AppFrame,
    beforeLoad: ({ location }) => {
      if (!boot.signed_in) throw redirect({ to: '/login', search: { next: location.href } as never, replace: true })
    },
  })
  const routeOf = (screen: Screen): AnyRoute => {
    const parent: AnyRoute = screen.in === 'account' ? bare : framed
    return createRoute({
      getParentRoute: () => parent,
      path: screen.path,
      staticData: { screen },
      loader: ({ params, location }) =>
        load(screen, boot, { path: params as Params, search: location.search as Params }),
      component: lazyRouteComponent(async () => ({ default: await screen.view() })),
    })
  }
  const isBare = ({ in: place }: Screen) => place === 'account'
  return root.addChildren([
    first,
    bare.addChildren(screens.filter(isBare).map(routeOf)),
    framed.addChildren(screens.filter((screen) => !isBare(screen)).map(routeOf)),
  ])
}

/** `basepath`: what stands before every path in the browser. */
export const makeRouter = (boot: BootData, basepath: string, history?: RouterHistory) =>
  createRouter({
    routeTree: createTree(boot),
    basepath,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: PENDING_MIN_MS,
    defaultPendingComponent: ScreenPending,
    defaultErrorComponent: ScreenProblem,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
