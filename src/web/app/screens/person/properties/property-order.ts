/** Names of properties in the order of a list: our own first, then those that SDKs set by themselves. */

const isOwn = (key: string): boolean => !key.startsWith('$')

export const inOrder = (keys: readonly string[]): string[] =>
  keys.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || (a < b ? -1 : 1))
