/** Tries of passwords, noted before they are judged: of a share by its token, of a user by address and network. */
export interface PasswordTryWriter {
  /** Times of those after `since`, oldest first; older ones of the same subject are removed. */
  since(subject: string, since: number): Promise<number[]>
  /** Returns the id for `remove`. */
  add(subject: string, at: number): Promise<number>
  remove(id: number): Promise<void>
  /** Of all subjects, at most `limit`; returns how many. */
  removeBefore(before: number, limit: number): Promise<number>
}
