/** What went wrong with ClickHouse: for the operator in a sentence, for a request in the words of the port. */

/** As the client throws it: `code` is the server's number, or the system's name of a failed connection. */
interface Thrown {
  code?: string
  message?: string
}

/** Numbers of the server's own errors. */
export const CODES = {
  cannotCompilePattern: '427',
  memory: '241',
  timeout: '159',
  /** Of an older server: also of any other column that cannot be. */
  columnExists: '44',
  sameColumn: '15',
} as const

/** The server answers, but cannot do it now, or only a part of it could be done. */
const FOR_NOW: Record<string, string> = {
  '32': 'a node of the cluster does not answer',
  '202': 'it has too many statements to run',
  '203': 'it has no connection left to another node',
  '209': 'a node of the cluster does not answer in time',
  '210': 'a node of the cluster cannot be reached',
  '216': 'an earlier insert of the same rows is still running',
  '242': 'a table can only be read now',
  '243': 'its disk is full',
  '252': 'it has too many parts to merge first',
  '279': 'a node of the cluster cannot be reached',
  '999': 'its Keeper does not answer',
}

const WORDS: Record<string, string> = {
  '81': 'there is no such database',
  '170': 'there is no such cluster',
  '192': 'there is no such user',
  '193': 'the password is wrong',
  '497': 'the user may not do that',
  '516': 'the user or the password is wrong',
  ENOTFOUND: 'the host is not known',
  ECONNREFUSED: 'nobody answers there',
  ETIMEDOUT: 'it did not answer in time',
}

const thrownOf = (error: unknown): Thrown => (typeof error === 'object' && error !== null ? error : {})

/** The client does not find the number in what the oldest server says. */
const NUMBER = /^Code: (\d+)[,.]/

export function codeOf(error: unknown): string {
  const { code, message = '' } = thrownOf(error)
  return String(code ?? NUMBER.exec(message)?.[1] ?? '')
}

export interface Failure {
  /** A part of a sentence. */
  words: string
  /** It is for the caller to repeat it: what was to be written may have been, or a part of it. */
  isAway: boolean
  /** Nobody there has taken it. */
  isUnreachable: boolean
  /** The connection ended before the answer. */
  isCut: boolean
}

/** How the system and Node name what happens to a connection. */
const CONNECTION = /^(?:E[A-Z_]+|HPE_\w+|ERR_STREAM_\w+)$/
/** As the client says it, without a code. */
const NO_ANSWER = /^(?:Timeout error|The user aborted a request|socket hang up)/

const CUT = ['ECONNRESET', 'EPIPE']
const UNREACHABLE = ['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']

export function failureOf(error: unknown): Failure {
  const { message = '' } = thrownOf(error)
  const code = codeOf(error)
  const words = WORDS[code] ?? FOR_NOW[code] ?? (message.replaceAll(/\s+/g, ' ').replace(/\.$/, '') || 'it failed')
  const isAway = code in FOR_NOW || CONNECTION.test(code) || NO_ANSWER.test(message)
  return {
    words,
    isAway,
    isUnreachable: UNREACHABLE.includes(code),
    isCut: CUT.includes(code) || message.startsWith('socket hang up'),
  }
}
