/** The methods of a path as `Allow` lists them: whatever answers GET answers HEAD too, which Fastify adds. */
export const allowedMethods = (methods: readonly string[]): string[] =>
  methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
