/** Colours of insights. Each theme has an opaque background, so that it looks the same on a white page and in a dark mail. */

export const THEMES = ['light', 'dark'] as const
export type ThemeName = (typeof THEMES)[number]

export interface Theme {
  ground: string
  border: string
  text: string
  /** Of secondary text. */
  muted: string
  /** Of grid lines, and of the unfilled part of bars. */
  faint: string
  bad: string
  /** Of the first rows, in order. */
  series: string[]
  /** Of all further rows. */
  rest: string
  lifecycle: Record<'new' | 'returning' | 'resurrecting' | 'dormant', string>
  /** From 0% to 100%; `text` is legible on all of them. */
  heat: { empty: string; full: string }
}

/** What a colour stands for. */
export interface LegendEntry {
  name: string
  colour: string
}

export const themes: Record<ThemeName, Theme> = {
  light: {
    ground: '#ffffff',
    border: '#d8dee4',
    text: '#1b2430',
    muted: '#55616e',
    faint: '#e7ebef',
    bad: '#c0392b',
    series: ['#2f6fdb', '#d9822b', '#2a9d6f', '#8e5bd0', '#c9415d', '#0f8ea6', '#9a7b12', '#5f6f8f'],
    rest: '#b4bdc7',
    lifecycle: { new: '#2f6fdb', returning: '#2a9d6f', resurrecting: '#8e5bd0', dormant: '#d9822b' },
    heat: { empty: '#eef3fb', full: '#5b93f5' },
  },
  dark: {
    ground: '#1b2129',
    border: '#39434f',
    text: '#f0f3f6',
    muted: '#a9b4c0',
    faint: '#323b46',
    bad: '#ff8a7a',
    series: ['#6ea2ff', '#f2a65a', '#55c99a', '#b892f0', '#f07f95', '#4cc3d9', '#d6b84c', '#a3b1cc'],
    rest: '#5d6874',
    lifecycle: { new: '#6ea2ff', returning: '#55c99a', resurrecting: '#b892f0', dormant: '#f2a65a' },
    heat: { empty: '#242d39', full: '#2f63c4' },
  },
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** The colour at `share` of the way from one to the other. */
export function mix(from: string, to: string, share: number): string {
  const target = channels(to)
  const mixed = channels(from).map((value, index) => Math.round(value + ((target[index] ?? value) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
