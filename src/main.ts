/** Parses the command line and calls one file of cli/. Expected errors are printed as messages, without a stack. */
import { helpFor, USAGE } from './cli/usage.ts'
import { type Config, readConfig } from './config.ts'
import { OperatorError } from './lib/errors.ts'
import { escapeControlCharacters } from './lib/text/control-characters.ts'
import { version } from './lib/version.ts'

type Command = (args: string[], config: Config) => Promise<void>

/** Each loads its own part of the program only: `keys list` needs no HTTP server and no event store. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  migrate: async () => (await import('./cli/migrate.ts')).migrateCommand,
  keys: async () => (await import('./cli/keys.ts')).keys,
  users: async () => (await import('./cli/users.ts')).users,
  projects: async () => (await import('./cli/projects.ts')).projects,
  jobs: async () => (await import('./cli/jobs.ts')).jobs,
  outbox: async () => (await import('./cli/outbox.ts')).outbox,
  deletions: async () => (await import('./cli/deletions.ts')).deletions,
  clock: async () => (await import('./cli/clock.ts')).clock,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
  backup: async () => (await import('./cli/backup/backup.ts')).backup,
  restore: async () => (await import('./cli/backup/restore.ts')).restore,
}

const unknownCommand = (command: string): OperatorError =>
  new OperatorError(`"${command}" is not a command of Hedgerow. "hedgerow --help" lists them.`)

async function main(argv: string[]): Promise<void> {
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
  const load = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (load === undefined) throw unknownCommand(command)
  const config = readConfig(process.env)
  const run = await load()
  await run(rest, config)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const parseError = (error as { code?: string } | null)?.code?.startsWith('ERR_PARSE_ARGS')
  const isSentence = error instanceof OperatorError || parseError
  const words = isSentence ? [(error as Error).message] : ((error as Error)?.stack ?? String(error)).split('\n')
  process.stderr.write(`hedgerow: ${words.map(escapeControlCharacters).join('\n')}\n`)
  process.exitCode = 1
})
