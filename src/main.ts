/** Parses the command line and calls one file of cli/. Expected errors are printed as messages, without a stack. */
import { backup } from './cli/backup/backup.ts'
import { restore } from './cli/backup/restore.ts'
import { clock } from './cli/clock.ts'
import { deletions } from './cli/deletions.ts'
import { doctor } from './cli/doctor.ts'
import { jobs } from './cli/jobs.ts'
import { keys } from './cli/keys.ts'
import { migrateCommand } from './cli/migrate.ts'
import { outbox } from './cli/outbox.ts'
import { projects } from './cli/projects.ts'
import { serve } from './cli/serve.ts'
import { helpFor, USAGE } from './cli/usage.ts'
import { users } from './cli/users.ts'
import { readConfig } from './config.ts'
import { OperatorError } from './lib/errors.ts'
import { escapeControlCharacters } from './lib/text/control-characters.ts'
import { version } from './lib/version.ts'

const COMMANDS = {
  serve,
  migrate: migrateCommand,
  keys,
  users,
  projects,
  jobs,
  outbox,
  deletions,
  clock,
  doctor,
  backup,
  restore,
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
  if (!Object.hasOwn(COMMANDS, command)) {
    throw unknownCommand(command)
  }
  await COMMANDS[command as keyof typeof COMMANDS](rest, readConfig(process.env))
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const parseError = (error as { code?: string } | null)?.code?.startsWith('ERR_PARSE_ARGS')
  const isSentence = error instanceof OperatorError || parseError
  const words = isSentence ? [(error as Error).message] : ((error as Error)?.stack ?? String(error)).split('\n')
  process.stderr.write(`hedgerow: ${words.map(escapeControlCharacters).join('\n')}\n`)
  process.exitCode = 1
})
