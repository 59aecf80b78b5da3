/** The secret that signs what the server gives out and takes back: the operator's own, else one kept in the store. */
import { randomBytes } from 'node:crypto'
import type { SqlStores } from '../../model/stores.ts'

export interface SecretParts {
  stores: Pick<SqlStores, 'transaction'>
  /** The operator's own secret, before the stored one. */
  secret: string | null
  /** Of the stored one, which is made when it is first needed. */
  name: string
}

export function secretFinder({ stores, secret, name }: SecretParts): () => Promise<string> {
  let known: Promise<string> | undefined
  return () => {
    if (secret !== null) return Promise.resolve(secret)
    known ??= stores
      .transaction((tx) => tx.secrets.findOrCreate(name, () => randomBytes(32).toString('base64url')))
      .catch((error: unknown) => {
        known = undefined
        throw error
      })
    return known
  }
}
