/** The command line: each command is one file of cli/. */
import { type Commands, runProgram } from './cli/run-program.ts'

/** Each loads its own part of the program only: `keys list` needs no HTTP server and no event store. */
const COMMANDS: Commands = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  migrate: async () => (await import('./cli/migrate.ts')).migrateCommand,
  keys: async () => (await import('./cli/accounts/keys.ts')).keys,
  users: async () => (await import('./cli/accounts/users.ts')).users,
  projects: async () => (await import('./cli/projects.ts')).projects,
  jobs: async () => (await import('./cli/jobs.ts')).jobs,
  outbox: async () => (await import('./cli/outbox.ts')).outbox,
  deletions: async () => (await import('./cli/deletions.ts')).deletions,
  clock: async () => (await import('./cli/clock.ts')).clock,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
  backup: async () => (await import('./cli/backup/backup.ts')).backup,
  restore: async () => (await import('./cli/backup/restore.ts')).restore,
  copy: async () => (await import('./cli/copy/copy.ts')).copy,
}

void runProgram(COMMANDS)
