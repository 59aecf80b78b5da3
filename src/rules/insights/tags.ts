/** Tags as they are stored: in lower case, without duplicates or empty ones, in the given order. */
export const cleanTags = (tags: string[]): string[] =>
  [...new Set(tags.map((tag) => tag.toLowerCase()))].filter((tag) => tag !== '')
