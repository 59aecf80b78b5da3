/**
 * Version numbers as property filters compare them: one to four dotted numbers after an optional `v`,
 * missing ones being zero. A pre-release or build suffix is accepted and ignored, so `1.2.3-beta` equals
 * `1.2.3`; this is what PostHog does and not the precedence of the SemVer specification.
 */

/** The numbers as they were written, one to four. */
export type Version = readonly number[]

/** From `lower` (included) to `upper` (excluded). */
export interface VersionRange {
  lower: Version
  upper: Version
}

const SHAPE = /^v?(\d{1,15}(?:\.\d{1,15}){0,3})(?:(?<=\.\d+)[-+][0-9A-Za-z][0-9A-Za-z.+-]*)?$/i

/** Null when the text is no version. A suffix needs at least two numbers before it: `2024-05-01` is a date. */
export function readVersion(text: string): Version | null {
  const match = SHAPE.exec(text.trim())
  return match?.[1] === undefined ? null : match[1].split('.').map(Number)
}

/** Negative, zero or positive as `a` comes before, with or after `b`. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 4; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}

/** The range of everything that begins like `version` up to and including position `last`, from `version` on. */
function upTo(version: Version, last: number): VersionRange {
  return { lower: version, upper: [...version.slice(0, last), (version[last] ?? 0) + 1] }
}

/** `1.2.3` → up to 1.3; `1` → up to 2. */
export const tildeRange = (version: Version): VersionRange => upTo(version, version.length > 1 ? 1 : 0)

/** Up to the next value of the leftmost number that is not zero; all zero: of the last one written. */
export function caretRange(version: Version): VersionRange {
  const leading = version.slice(0, 3).findIndex((part) => part > 0)
  return upTo(version, leading === -1 ? Math.min(version.length, 3) - 1 : leading)
}

/** `1.2.*` → from 1.2 up to 1.3; the stars may be left out. Null when no number is left or one follows a star. */
export function readWildcardRange(text: string): VersionRange | null {
  const version = readVersion(text.trim().replace(/(?:\.\*)+$/, ''))
  return version && upTo(version, version.length - 1)
}
