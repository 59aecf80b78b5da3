/** Tags as they are kept: in lower case, each one once, in the order given, without empty ones. */
export const cleanTags = (tags: string[]): string[] =>
  [...new Set(tags.map((tag) => tag.toLowerCase()))].filter((tag) => tag !== '')
