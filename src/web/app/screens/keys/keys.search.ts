/** `do`: whether a new key is being made; `preset`: what it is to be for. */
import { choice, defineSearch } from '../../data/search.ts'

export const PRESET_IDS = ['read', 'reports', 'erasure', 'all', 'own'] as const
export type PresetId = (typeof PRESET_IDS)[number]

export interface KeysState {
  do: 'list' | 'new'
  preset: PresetId
}

export const keysSearch = defineSearch<KeysState>({
  do: choice(['list', 'new'], 'list'),
  preset: choice(PRESET_IDS, 'read'),
})
