/** Tags as they are kept: trimmed, in lower case, on one line, each one once, in the order given. */
export const cleanTags = (tags: string[]): string[] => {
  const clean = tags.map((tag) => tag.trim().replace(/\s+/g, ' ').toLowerCase())
  return [...new Set(clean)].filter((tag) => tag !== '')
}
