/** Who is told whether a store on another machine answers: once when it does not, however much fails meanwhile. */
export interface PresenceParts {
  /** It has stopped answering; what was said first. */
  away(words: string): void
  /** It answers again. */
  back(): void
}
