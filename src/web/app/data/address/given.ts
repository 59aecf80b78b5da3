/** Of a filter, what is set: empty texts are none. */
export const given = <T extends object>(filter: T): Partial<T> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as Partial<T>
