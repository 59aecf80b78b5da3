/** A few values as a text for a link. It is not secret, and whoever reads it checks what they are. */

export const writeCursorText = (parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** What was written, if there are so many; else none. */
export function readCursorText(text: string, length: number): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) && parts.length === length ? parts : []
  } catch {
    // Whatever is wrong with it, it is not our cursor; the caller reports that.
    return []
  }
}
