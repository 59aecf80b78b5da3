/**
 * The table of contents of the app: one line for each screen. The sidebar, the palette, the go-to keys, titles, the paths
 * that the server knows and the tests that walk through all screens are read from it.
 */
import type { FetchQueryOptions } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { signInsQuery } from './data/account.ts'
import { activityQuery } from './data/activity.ts'
import { type BootProject, mayUse, type Needed } from './data/boot.ts'
import { deletionSummaryQuery, deletionsQuery } from './data/deletions.ts'
import {
  EVENT_SCOPES,
  eventNamesQuery,
  eventsQuery,
  latestEventQuery,
  mayReadEvents,
  warningsQuery,
} from './data/events.ts'
import { keysQuery } from './data/keys.ts'
import { peoplePageQuery } from './data/people/people.ts'
import { personQuery, personRowQuery } from './data/people/person.ts'
import { projectQuery, usageQuery } from './data/projects.ts'
import { recordingQuery } from './data/recordings/recordings.ts'
import { noSearch, type Params, type Search } from './data/search.ts'
import { deletionsSearch } from './screens/deletions/deletions.search.ts'
import { eventsSearch } from './screens/events/events.search.ts'
import { historySearch } from './screens/history/history.search.ts'
import { keysSearch } from './screens/keys/keys.search.ts'
import { liveSearch } from './screens/live/live.search.ts'
import { filterOf, peopleSearch } from './screens/people/people.search.ts'
import { personSearch } from './screens/person/person.search.ts'
import { replaySearch } from './screens/replay/replay.search.ts'
import { replaysSearch } from './screens/replays/replays.search.ts'
import { sessionsSearch } from './screens/sessions/sessions.search.ts'
import { signInSearch } from './screens/sign-in/sign-in.search.ts'
import { startSearch } from './screens/start/start.search.ts'

export interface Screen {
  /** Below `/project/$project` for those of a project. */
  path: string
  name: string
  /**
   * Where the sidebar has it. `account`: for people who are not signed in, without a frame. `thing`: about one thing, which
   * its path names; other screens lead there.
   */
  in: 'look' | 'records' | 'project' | 'you' | 'account' | 'thing'
  /** Uses all of the width, as a table does. */
  wide?: boolean
  /** After `g`. */
  key?: string
  /** The scope that one needs for it. */
  needs?: Needed
  // biome-ignore lint/suspicious/noExplicitAny: each screen knows its own state
  search: Search<any>
  /** What it asks the API for at once: fetched together with its code, also when somebody is about to go there. */
  load?: (project: BootProject, address: Address) => Load[]
  view: () => Promise<ComponentType>
}

/** What the address of a screen says: names in its path, and what stands behind it. */
export interface Address {
  path: Params
  search: Params
}

// biome-ignore lint/suspicious/noExplicitAny: each screen knows what it asks for
type Load = FetchQueryOptions<any, any, any, any>

const settings = ({ id }: BootProject): Load[] => [projectQuery(id)]
const settingsAndUsage = ({ id }: BootProject): Load[] => [projectQuery(id), usageQuery(id)]

function eventsOf(projectId: number, params: Params): Load {
  const { cursor, columns: _, open: __, ...filter } = eventsSearch.read(params).state
  return eventsQuery(projectId, filter, cursor)
}
const people = ({ id }: BootProject, { search }: Address): Load[] => [
  peoplePageQuery(id, filterOf(peopleSearch.read(search).state), 0),
]

const P = '/project/$project'
const account = () => import('./screens/account-link/account-link.screen.tsx').then((file) => file.AccountLinkScreen)

export const screens: readonly Screen[] = [
  {
    path: '/login',
    name: 'Sign in',
    in: 'account',
    search: signInSearch,
    view: () => import('./screens/sign-in/sign-in.screen.tsx').then((file) => file.SignInScreen),
  },
  { path: '/setup', name: 'Set up', in: 'account', search: noSearch, view: account },
  { path: '/signup', name: 'Join', in: 'account', search: noSearch, view: account },
  {
    path: '/reset',
    name: 'New password',
    in: 'account',
    search: noSearch,
    view: () => import('./screens/account-link/reset.screen.tsx').then((file) => file.ResetScreen),
  },
  {
    path: `${P}/start`,
    name: 'First event',
    in: 'look',
    key: 'f',
    needs: 'project:read',
    search: startSearch,
    load: (project) => (mayReadEvents(project) ? [latestEventQuery(project.id)] : []),
    view: () => import('./screens/start/start.screen.tsx').then((file) => file.StartScreen),
  },
  {
    path: `${P}/persons`,
    name: 'People',
    in: 'look',
    key: 'p',
    needs: 'person:read',
    wide: true,
    search: peopleSearch,
    load: people,
    view: () => import('./screens/people/people.screen.tsx').then((file) => file.PeopleScreen),
  },
  {
    path: `${P}/persons/$uuid`,
    name: 'Person',
    in: 'thing',
    needs: 'person:read',
    search: personSearch,
    load: ({ id }, { path }) => [personQuery(id, path.uuid ?? '')],
    view: () => import('./screens/person/person.screen.tsx').then((file) => file.PersonScreen),
  },
  {
    path: `${P}/person/$distinct_id`,
    name: 'Person',
    in: 'thing',
    needs: 'person:read',
    search: personSearch,
    load: ({ id }, { path }) => [personRowQuery(id, path.distinct_id ?? '')],
    view: () => import('./screens/person/person.screen.tsx').then((file) => file.PersonByIdScreen),
  },
  {
    path: `${P}/replay/home`,
    name: 'Replays',
    in: 'look',
    key: 'r',
    needs: 'session_recording:read',
    wide: true,
    search: replaysSearch,
    view: () => import('./screens/replays/replays.screen.tsx').then((file) => file.ReplaysScreen),
  },
  {
    path: `${P}/replay/$session`,
    name: 'Replay',
    in: 'thing',
    needs: 'session_recording:read',
    wide: true,
    search: replaySearch,
    load: ({ id }, { path }) => [recordingQuery(id, path.session ?? '')],
    view: () => import('./screens/replay/replay.screen.tsx').then((file) => file.ReplayScreen),
  },
  {
    path: `${P}/activity/explore`,
    name: 'Events',
    in: 'look',
    key: 'e',
    needs: EVENT_SCOPES,
    search: eventsSearch,
    load: ({ id }, { search }) => [eventsOf(id, search)],
    view: () => import('./screens/events/events.screen.tsx').then((file) => file.EventsScreen),
  },
  {
    path: `${P}/activity/live`,
    name: 'Live',
    in: 'look',
    key: 'l',
    needs: EVENT_SCOPES,
    search: liveSearch,
    load: (project) => [
      ...(mayUse(project.scopes, 'project:read') ? [warningsQuery(project.id)] : []),
      ...(mayUse(project.scopes, 'event_definition:read') ? [eventNamesQuery(project)] : []),
    ],
    view: () => import('./screens/live/live.screen.tsx').then((file) => file.LiveScreen),
  },
  {
    path: `${P}/sessions`,
    name: 'Sessions',
    in: 'look',
    key: 's',
    needs: ['query:read', 'person:read', 'session_recording:read'],
    wide: true,
    search: sessionsSearch,
    view: () => import('./screens/sessions/sessions.screen.tsx').then((file) => file.SessionsScreen),
  },
  {
    path: `${P}/deletions`,
    name: 'Deletions',
    in: 'records',
    key: 'x',
    needs: 'person:read',
    search: deletionsSearch,
    load: ({ id }, { search }) => [deletionSummaryQuery(id), deletionsQuery(id, deletionsSearch.read(search).state)],
    view: () => import('./screens/deletions/deletions.screen.tsx').then((file) => file.DeletionsScreen),
  },
  {
    path: `${P}/history`,
    name: 'History',
    in: 'records',
    key: 'y',
    needs: 'activity_log:read',
    search: historySearch,
    load: ({ id }, { search }) => [activityQuery(id, historySearch.read(search).state)],
    view: () => import('./screens/history/history.screen.tsx').then((file) => file.HistoryScreen),
  },
  {
    path: `${P}/settings/project`,
    name: 'General',
    in: 'project',
    key: ',',
    needs: 'project:read',
    search: noSearch,
    load: settings,
    view: () => import('./screens/settings/general.screen.tsx').then((file) => file.GeneralScreen),
  },
  {
    path: `${P}/settings/project-replay`,
    name: 'Recording',
    in: 'project',
    needs: 'project:read',
    search: noSearch,
    load: settingsAndUsage,
    view: () => import('./screens/settings/recording.screen.tsx').then((file) => file.RecordingScreen),
  },
  {
    path: `${P}/settings/project-events`,
    name: 'Capture',
    in: 'project',
    needs: 'project:read',
    search: noSearch,
    load: settingsAndUsage,
    view: () => import('./screens/settings/events.screen.tsx').then((file) => file.EventsScreen),
  },
  {
    path: `${P}/settings/project-delete`,
    name: 'Delete project',
    in: 'project',
    needs: 'project:read',
    search: noSearch,
    load: settingsAndUsage,
    view: () => import('./screens/settings/delete.screen.tsx').then((file) => file.DeleteScreen),
  },
  {
    path: `${P}/settings/user-api-keys`,
    name: 'API keys',
    in: 'you',
    key: 'k',
    needs: '*',
    search: keysSearch,
    load: () => [keysQuery],
    view: () => import('./screens/keys/keys.screen.tsx').then((file) => file.KeysScreen),
  },
  {
    path: `${P}/settings/user`,
    name: 'My account',
    in: 'you',
    key: 'a',
    search: noSearch,
    load: () => [signInsQuery],
    view: () => import('./screens/account/account.screen.tsx').then((file) => file.AccountScreen),
  },
]
