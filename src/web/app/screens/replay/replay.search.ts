/**
 * `t`: where it begins, in seconds or as a time of day; `tab`, `only` and `f`: what the list beside it shows, `list`: whether
 * it is there, `clock`: whose time its rows have; `speed` and `skip`: how it plays; `remote`: whether images and fonts are loaded from the recorded site; `do`: what is being asked.
 */
import { anyText, choice, defineSearch } from '../../data/search.ts'

export const TABS = ['all', 'events', 'console', 'network'] as const
export type TabId = (typeof TABS)[number]

export const SPEEDS = ['0.5', '1', '2', '4', '8', '16'] as const
export type Speed = (typeof SPEEDS)[number]

/** What a tab is narrowed to; each tab has its own of these. */
export const ONLY = ['all', 'pages', 'clicks', 'own', 'warnings', 'errors', 'failed', 'slow'] as const
export type Only = (typeof ONLY)[number]

export const CLOCKS = ['start', 'project', 'browser', 'utc'] as const
export type ClockId = (typeof CLOCKS)[number]

export interface ReplayState {
  t: string
  tab: TabId
  only: Only
  list: 'on' | 'off'
  clock: ClockId
  f: string
  speed: Speed
  skip: 'on' | 'off'
  remote: 'on' | 'off'
  do: 'watch' | 'share' | 'delete'
}

export const replaySearch = defineSearch<ReplayState>({
  t: anyText(),
  tab: choice(TABS, 'all'),
  only: choice(ONLY, 'all'),
  list: choice(['on', 'off'], 'on'),
  clock: choice(CLOCKS, 'start'),
  f: anyText(),
  speed: choice(SPEEDS, '1'),
  skip: choice(['on', 'off'], 'on'),
  remote: choice(['on', 'off'], 'off'),
  do: choice(['watch', 'share', 'delete'], 'watch'),
})
