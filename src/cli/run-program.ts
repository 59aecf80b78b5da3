/** Parses the command line and runs one command. Expected errors are printed as messages, without a stack. */
import { type Config, readConfig } from '../config.ts'
import { isStoreAway, OperatorError } from '../lib/errors.ts'
import { escapeControlCharacters } from '../lib/text/control-characters.ts'
import { version } from '../lib/version.ts'
import { helpFor, USAGE } from './usage.ts'

type Command = (args: string[], config: Config) => Promise<void>
/** By their names; what a command needs may be loaded when it is asked for. */
export type Commands = Record<string, () => Promise<Command>>

const unknownCommand = (command: string): OperatorError =>
  new OperatorError(`"${command}" is not a command of Hedgerow. "hedgerow --help" lists them.`)

async function run(argv: string[], commands: Commands): Promise<void> {
  const [command, ...rest] = argv
  if (command === undefined || argv.some((word) => ['--help', '-h'].includes(word)) || command === 'help') {
    const words = argv.filter((word, i) => !word.startsWith('-') && !(i === 0 && word === 'help'))
    const text = words.length === 0 ? USAGE : helpFor(words)
    if (text === null) throw unknownCommand(words[0] ?? '')
    process.stdout.write(text)
    process.exitCode = command === undefined ? 1 : 0
    return
  }
  if (command === '--version') {
    process.stdout.write(`${version()}\n`)
    return
  }
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (load === undefined) throw unknownCommand(command)
  const config = readConfig(process.env)
  const runCommand = await load()
  await runCommand(rest, config)
}

function report(error: unknown): void {
  const parseError = (error as { code?: string } | null)?.code?.startsWith('ERR_PARSE_ARGS')
  const isSentence = error instanceof OperatorError || isStoreAway(error) || parseError
  const words = isSentence ? [(error as Error).message] : ((error as Error)?.stack ?? String(error)).split('\n')
  process.stderr.write(`hedgerow: ${words.map(escapeControlCharacters).join('\n')}\n`)
  process.exitCode = 1
}

/** Runs the command that the process was started with. */
export const runProgram = (commands: Commands): Promise<void> => run(process.argv.slice(2), commands).catch(report)
