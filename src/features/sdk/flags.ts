/**
 * Feature flags: always none, in the shape that each generation of the SDKs reads, together with the project's
 * configuration where that generation requests both at once.
 */
import type { SdkConfig } from './remote-config.ts'

/** `/flags/` from version 2 on answers `flags`; before, and on `/decide/` up to 3, it was `featureFlags`. */
function noFlags(requestId: string, modern: boolean) {
  const answer = { errorsWhileComputingFlags: false, requestId }
  return modern ? { flags: {}, ...answer } : { featureFlags: {}, featureFlagPayloads: {}, ...answer }
}

/** The very first version listed the enabled flags. */
const noFlagsListed = (requestId: string) => ({
  featureFlags: [],
  errorsWhileComputingFlags: false,
  requestId,
})

const versionOf = (text: string | undefined): number => (/^\d{1,3}$/.test(text ?? '') ? Number(text) : 1)

export function answerFlags(query: Record<string, string | undefined>, requestId: string, config: SdkConfig) {
  const flags = noFlags(requestId, versionOf(query.v) >= 2)
  return /^(?:true|1)$/.test(query.config ?? '') ? { ...config, ...flags } : flags
}

/** Without this posthog-js up to 1.115 captures nothing automatically, whatever the other settings. */
const COLLECT = { config: { enable_collect_everything: true } }

/** `/decide/` always returns flags and configuration together. */
export function answerDecide(query: Record<string, string | undefined>, requestId: string, config: SdkConfig) {
  const version = versionOf(query.v)
  return { ...config, ...COLLECT, ...(version < 2 ? noFlagsListed(requestId) : noFlags(requestId, version >= 4)) }
}
