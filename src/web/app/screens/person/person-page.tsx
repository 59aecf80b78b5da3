/** A person: the head, what is known in tabs, and what can be done to them in dialogs that the address names. */
import { lazy, Suspense } from 'react'
import { mayUse } from '../../data/boot.ts'
import { useKeys } from '../../data/keyboard.ts'
import type { Person } from '../../data/people/person.ts'
import { useKeepPersonCurrent } from '../../data/people/person-now.ts'
import { useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Tabs } from '../../kit/layout/tabs.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { onTab, personSearch, TABS, type TabId } from './person.search.ts'
import { PersonHead } from './person-head.tsx'
import { PropertiesTab } from './properties/properties-tab.tsx'

/** Loaded when first wanted: most visits end without them. */
const TimelineTab = lazy(() => import('./past/timeline-tab.tsx').then((file) => ({ default: file.TimelineTab })))
const EventsTab = lazy(() => import('./past/events-tab.tsx').then((file) => ({ default: file.EventsTab })))
const HistoryTab = lazy(() => import('./past/history-tab.tsx').then((file) => ({ default: file.HistoryTab })))
const SessionsTab = lazy(() => import('./past/sessions-tab.tsx').then((file) => ({ default: file.SessionsTab })))
const RecordingsTab = lazy(() => import('./past/recordings-tab.tsx').then((file) => ({ default: file.RecordingsTab })))
const SplitDialog = lazy(() => import('./identity/split-dialog.tsx').then((file) => ({ default: file.SplitDialog })))
const MergeDialog = lazy(() => import('./identity/merge-dialog.tsx').then((file) => ({ default: file.MergeDialog })))
const DeleteDialog = lazy(() => import('./identity/delete-dialog.tsx').then((file) => ({ default: file.DeleteDialog })))

const NAMES: Record<TabId, string> = {
  properties: 'Properties',
  timeline: 'Timeline',
  events: 'Events',
  sessions: 'Sessions',
  recordings: 'Recordings',
  history: 'History',
}

const TAB_NAMES = TABS.map((tab) => [tab, NAMES[tab]] as const)

const VIEWS = {
  properties: PropertiesTab,
  timeline: TimelineTab,
  events: EventsTab,
  sessions: SessionsTab,
  recordings: RecordingsTab,
  history: HistoryTab,
} as const

interface PersonPageProps {
  person: Person
  via: string | null
}

export function PersonPage({ person, via }: PersonPageProps) {
  const { id, scopes } = useProject()
  const [state, change] = useSearchState(personSearch)
  useKeepPersonCurrent(id, person.uuid, state.tab)
  const View = VIEWS[state.tab]
  const choose = (tab: TabId) => change(onTab(tab))
  const close = () => change({ do: 'look' })
  useKeys(Object.fromEntries(TABS.map((tab, at) => [String(at + 1), () => choose(tab)])))
  const mayWrite = mayUse(scopes, 'person:write')
  return (
    <>
      {via !== null && <Via person={person} via={via} />}
      <PersonHead person={person} mayWrite={mayWrite} onDo={(what) => change({ do: what })} />
      <Tabs label="Of this person" tabs={TAB_NAMES} current={state.tab} onChoose={choose}>
        <Suspense fallback={<Skeleton lines={5} />}>
          <View person={person} />
        </Suspense>
      </Tabs>
      <Suspense>
        {state.do === 'split' && <SplitDialog person={person} onClose={close} />}
        {state.do === 'merge' && <MergeDialog person={person} onClose={close} />}
        {state.do === 'delete' && <DeleteDialog person={person} onClose={close} />}
      </Suspense>
    </>
  )
}

/** An id that was merged leads to whom it belongs now. */
function Via({ person: { distinct_ids: ids }, via }: { person: Person; via: string }) {
  if (ids.length < 2 || ids[0] === via) return null
  return (
    <Notice>
      “{via}” is one of {ids.length} ids that were merged: they are all this person’s.
    </Notice>
  )
}
