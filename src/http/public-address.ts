/**
 * Where clients reach this server: at HEDGEROW_PUBLIC_URL when it is set, else at the Host of the request. The public URL
 * may have a path, which a proxy takes away before it passes requests on; so pages refer to each other by relative
 * addresses, which hold with and without the proxy.
 */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'

export interface PublicAddress {
  /** Absolute URL of a request. */
  urlOf(request: FastifyRequest): URL
  /** Throws when the request names another host than the public URL and no loopback one. */
  checkHost(request: FastifyRequest): void
  /** The path in front of every path of this server, without a slash at its end; '' when there is none. */
  basePath: string
}

/** As URLs write them. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The name in a Host header, as URLs write it; null when it is not one. */
function hostnameOf(host: string): string | null {
  if (/[/\\?#@]/.test(host) || !URL.canParse(`http://${host}`)) return null
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

/** Ports do not count: many proxies pass on the name alone. Nor does a missing Host, which only HTTP/1.0 allows. */
function isOwnHost(publicUrl: string | null, host: string | undefined): boolean {
  if (publicUrl === null || !host) return true
  const name = hostnameOf(host)
  return name !== null && (LOOPBACK.test(name) || name === hostnameOf(new URL(publicUrl).host))
}

const misdirected = (publicUrl: string | null): AppError =>
  new AppError(
    'misdirected',
    'misdirected_request',
    `The pages of this server are at ${publicUrl} (HEDGEROW_PUBLIC_URL). This request named another host.`,
  )

export function createPublicAddress(publicUrl: string | null): PublicAddress {
  return {
    checkHost(request) {
      if (!isOwnHost(publicUrl, request.host)) throw misdirected(publicUrl)
    },
    urlOf(request) {
      const base = publicUrl ?? `${request.protocol}://${request.host}`
      const path = request.originalUrl
      // Joined as text: a path that begins with // must not become the host. An invalid Host is not used.
      return new URL(URL.canParse(base + path) ? base + path : `http://localhost${path}`)
    },
    basePath: publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
  }
}

/** From the page that a request asks for to the root of this server, with a slash at its end. */
export function pathToRoot({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
  const [path = ''] = originalUrl.split('?', 1)
  const depth = path.split('/').length - 2
  return depth > 0 ? '../'.repeat(depth) : './'
}
