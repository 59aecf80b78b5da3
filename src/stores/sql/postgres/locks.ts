/** The advisory locks that Hedgerow takes, by what they are for; the second number of each says of what. */
export const LOCKS = {
  /** The schema is being migrated. */
  migration: 0x48e1,
}
