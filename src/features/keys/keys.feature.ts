/** Keys, put together: managing them, and finding who stands behind one. */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/time/clock.ts'
import { type AuthenticatorParts, createAuthenticator } from './authenticate.ts'
import { createKeys, type KeysParts } from './keys.ts'

export interface KeysFeatureParts {
  stores: KeysParts['stores'] & AuthenticatorParts['stores']
  clock: Clock
  logger: Logger
}

export function createKeysFeature({ stores, clock, logger }: KeysFeatureParts) {
  const failed = (err: unknown) => logger.error({ err }, 'last use of a key not noted')
  const authenticator = createAuthenticator({ stores, clock, failed })
  return { ...createKeys({ stores, clock, changed: authenticator.forget }), authenticator }
}

export type KeysFeature = ReturnType<typeof createKeysFeature>
