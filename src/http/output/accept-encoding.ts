/**
 * Which content coding a client gets, by its `Accept-Encoding` (RFC 9110, 12.5.3): of those it takes the one with the
 * highest weight, brotli where they are equal. A client that names none, or prefers `identity`, gets none.
 */

export type Coding = 'br' | 'gzip'

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** Without a weight it is 1; one that cannot be read counts as a refusal, as uncompressed is never wrong. */
function weightOf(parameters: string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  if (given === undefined) return 1
  return WEIGHT.test(given) ? Number(given) : 0
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters))
  }
  return weights
}

export function chooseCoding(header: string | undefined): Coding | null {
  if (!header) return null
  const weights = readWeights(header)
  const others = weights.get('*') ?? 0
  const [br, gzip] = [weights.get('br') ?? others, weights.get('gzip') ?? others]
  const best = Math.max(br, gzip)
  if (best === 0 || best < (weights.get('identity') ?? 0)) return null
  return br === best ? 'br' : 'gzip'
}
