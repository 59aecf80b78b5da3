/** The secret that signs the server's tokens: the operator's own, otherwise one from the store. */
import { randomBytes } from 'node:crypto'
import type { SqlStores } from '../../model/stores.ts'

export interface SecretParts {
  stores: Pick<SqlStores, 'transaction'>
  /** The operator's own secret; has precedence over the stored one. */
  secret: string | null
  /** Name of the stored one, which is generated when it is first needed. */
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
