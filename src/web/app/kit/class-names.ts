/** Classes of an element, those that are missing left out. */
export const classes = (...names: (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ')
