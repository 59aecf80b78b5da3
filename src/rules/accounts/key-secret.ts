/** Secrets of keys and projects: 256 random bits; keys are stored as a hash and shown masked. */
import { randomBase62, sha256Hex } from '../../lib/ids.ts'

export const newKeySecret = (): string => `phx_${randomBase62(256)}`
export const newProjectToken = (): string => `phc_${randomBase62(256)}`
export const newKeyId = (): string => randomBase62(128)
export const hashKey = (secret: string): string => `sha256$${sha256Hex(secret)}`
export const maskKey = (secret: string): string => `${secret.slice(0, 4)}...${secret.slice(-4)}`
