/** What the API answers when it refuses something, or why there was no answer. */

export interface FieldProblem {
  attr: string | null
  code: string
  detail: string
}

export class ApiProblem extends Error {
  readonly status: number | null
  readonly code: string
  readonly errors: FieldProblem[]
  readonly requestId: string | null

  constructor(detail: string, facts: Pick<ApiProblem, 'status' | 'code' | 'errors' | 'requestId'>) {
    super(detail)
    this.name = 'ApiProblem'
    this.status = facts.status
    this.code = facts.code
    this.errors = facts.errors
    this.requestId = facts.requestId
  }
}

interface ErrorBody extends Partial<FieldProblem> {
  errors?: FieldProblem[]
}

export function problemOf(response: Response, body: unknown): ApiProblem {
  const { code = 'error', detail, attr = null, errors } = (typeof body === 'object' && body ? body : {}) as ErrorBody
  const words = detail ?? `The server answered ${response.status}.`
  return new ApiProblem(words, {
    status: response.status,
    code,
    errors: errors ?? [{ attr, code, detail: words }],
    requestId: response.headers.get('x-request-id'),
  })
}

export const unreachable = (): ApiProblem =>
  new ApiProblem('The server cannot be reached.', { status: null, code: 'unreachable', errors: [], requestId: null })

/** What is wrong with the field of this name, if that is what an error says. */
export const problemAt = (error: unknown, attr: string): string | null =>
  error instanceof ApiProblem ? (error.errors.find((one) => one.attr === attr)?.detail ?? null) : null

/** An error that none of these fields shows. */
export function problemBeside(error: unknown, attrs: readonly string[]): unknown {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return error
  return error.errors.every(({ attr }) => attr !== null && attrs.includes(attr)) ? null : error
}
