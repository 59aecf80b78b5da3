/**
 * The explorer's program for the browser. It comes inside a module of several megabytes that is imported when
 * the first browser asks for it.
 */

/** The plugin knows the bytes but hands them out only as a route, so it is asked as one. */
export async function readProgram(): Promise<Buffer> {
  const [{ default: plugin }, { fastify }] = await Promise.all([
    import('@scalar/fastify-api-reference'),
    import('fastify'),
  ])
  const host = fastify()
  try {
    await host.register(plugin, { routePrefix: '/explorer', configuration: { url: '/' } })
    const answer = await host.inject('/explorer/js/scalar.js')
    if (answer.statusCode !== 200) throw new Error(`The explorer's program could not be read (${answer.statusCode}).`)
    return answer.rawPayload
  } finally {
    await host.close()
  }
}
