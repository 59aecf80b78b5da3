/** Undoes a change of properties: each gets its earlier value, or goes, if it still has the one that the change left. */
import { isDeepStrictEqual } from 'node:util'
import type { Activity, ActivityChange } from '../../../model/accounts/activity.ts'
import type { Actor } from '../../../model/accounts/caller.ts'
import type { Person } from '../../../model/persons/person.ts'
import type { SqlWriters } from '../../../model/stores.ts'
import { fitsSize, updateProperties } from '../../../rules/persons/identity.ts'
import { editProperties, type Split } from '../person-edit.ts'
import { tooLarge, valuesChanged } from './obstacles.ts'

const keyOf = ({ key }: ActivityChange): string => key ?? ''

/** Whether the property is as the change left it. */
function isAsLeft({ properties }: Person, change: ActivityChange): boolean {
  const isThere = Object.hasOwn(properties, keyOf(change))
  if (change.action === 'deleted') return !isThere
  return isThere && isDeepStrictEqual(properties[keyOf(change)], change.after)
}

export async function undoEdit(
  tx: SqlWriters,
  actor: Actor,
  person: Person,
  entry: Activity,
  now: number,
): Promise<Split> {
  const changes = entry.detail.changes ?? []
  const changed = changes.filter((change) => !isAsLeft(person, change))
  if (changed.length > 0) throw valuesChanged(changed.map(keyOf))
  const earlier = changes.filter(({ action }) => action !== 'created')
  const set = Object.fromEntries(earlier.map((change) => [keyOf(change), change.before]))
  const unset = changes.filter(({ action }) => action === 'created').map(keyOf)
  if (!fitsSize(updateProperties(person.properties, set, unset).properties)) throw tooLarge()
  const edit = { set, unset, activity: 'updated' as const, undoes: entry.id }
  return { person: await editProperties(tx, actor, person, edit, now), split: [] }
}
