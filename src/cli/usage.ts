/** What `--help` prints: for the program, for a command with several actions, and for each of these. */

interface CommandHelp {
  /** One word, or two for an action of a command. */
  name: string
  /** What has to follow, in the overview. */
  needs?: string
  summary: string
  /** Each option, with what it means. */
  options?: [option: string, meaning: string][]
  example: string
}

const JSON_LIST: [string, string] = ['--json', 'print {"count", "results"} as JSON']
const FORCE = (what: string): [string, string] => ['--force', `also when it is ${what}`]

const COMMANDS: CommandHelp[] = [
  {
    name: 'serve',
    summary: 'start the server',
    options: [
      ['--demo', 'add a project with example data'],
      ['--accept-loss', 'go on although stores do not belong together or data is missing'],
    ],
    example: 'HEDGEROW_PORT=9000 hedgerow serve --demo',
  },
  {
    name: 'migrate',
    summary: 'bring the SQL store to the newest schema and exit',
    example: 'HEDGEROW_DATA_DIR=/var/lib/hedgerow hedgerow migrate',
  },
  {
    name: 'keys list',
    summary: 'every personal API key, without its secret',
    options: [JSON_LIST],
    example: 'hedgerow keys list --json',
  },
  {
    name: 'keys create',
    needs: '--label TEXT',
    summary: 'make a key and print it once',
    options: [
      ['--label TEXT', 'what it is for'],
      ['--user EMAIL', 'whose it is; the first user without it'],
      ['--scopes A,B', 'what it may do, such as person:read; everything (*) without it'],
      ['--projects 1,2', 'the only projects that it reaches; all of its user without it'],
      ['--expires DATE', 'when it stops working; never without it'],
    ],
    example: 'hedgerow keys create --label export --scopes person:read --projects 1 --expires 2027-01-31',
  },
  {
    name: 'keys revoke',
    needs: 'ID',
    summary: 'delete a key; it stops working within a second',
    options: [FORCE('the last key that may do everything')],
    example: 'hedgerow keys revoke 0196f3c2',
  },
  {
    name: 'users list',
    summary: 'every user, with the ids of its organizations and its level in each',
    options: [JSON_LIST],
    example: 'hedgerow users list',
  },
  {
    name: 'users create',
    needs: '--email TEXT',
    summary: 'make a user in the first organization',
    options: [
      ['--email TEXT', 'the address'],
      ['--first-name TEXT', ''],
      ['--last-name TEXT', ''],
      ['--organization ID', 'another organization'],
      ['--new-organization NAME', 'an organization that is made for it'],
      ['--level LEVEL', 'owner, admin, member (default) or viewer; the first of an organization is its owner'],
    ],
    example: 'hedgerow users create --email ann@example.com --first-name Ann',
  },
  {
    name: 'users remove',
    needs: 'EMAIL',
    summary: 'remove a user and its keys; what it made keeps its name',
    options: [FORCE('the last user, or has the last key that may do everything')],
    example: 'hedgerow users remove ann@example.com',
  },
  {
    name: 'users join',
    needs: 'EMAIL --organization ID',
    summary: 'make a user a member of another organization',
    options: [
      ['--organization ID', 'as "hedgerow projects list" shows it'],
      ['--level LEVEL', 'owner, admin, member (default) or viewer'],
    ],
    example: 'hedgerow users join ann@example.com --organization 0196f3c2-7d5e-7000-8000-000000000001',
  },
  {
    name: 'users leave',
    needs: 'EMAIL --organization ID',
    summary: 'end a membership; its projects are out of reach within a second',
    options: [['--organization ID', 'as "hedgerow users list" shows it']],
    example: 'hedgerow users leave ann@example.com --organization 0196f3c2-7d5e-7000-8000-000000000001',
  },
  {
    name: 'users level',
    needs: 'EMAIL LEVEL',
    summary: 'change what a user may do in an organization: owner, admin, member or viewer',
    options: [['--organization ID', 'where it belongs to several']],
    example: 'hedgerow users level ann@example.com admin',
  },
  {
    name: 'users link',
    needs: 'EMAIL',
    summary: 'print a link by which a user sets its password; it works once, for a day',
    options: [],
    example: 'hedgerow users link ann@example.com',
  },
  {
    name: 'projects list',
    summary: 'every project with its token',
    options: [JSON_LIST],
    example: 'hedgerow projects list',
  },
  {
    name: 'projects create',
    needs: '--name TEXT',
    summary: 'make a project',
    options: [
      ['--name TEXT', 'its name'],
      ['--organization ID', 'whose it is; the first organization without it'],
    ],
    example: 'hedgerow projects create --name "Web shop"',
  },
  {
    name: 'deletions run',
    needs: '--project ID',
    summary: 'delete the events of deleted persons now, not on Sunday',
    options: [['--project ID', 'the project']],
    example: 'hedgerow deletions run --project 1',
  },
  {
    name: 'backup',
    needs: 'DIR',
    summary: 'copy all data as of now into a new folder, also while the server runs',
    example: 'hedgerow backup /var/backups/hedgerow/monday',
  },
  {
    name: 'restore',
    needs: 'DIR',
    summary: 'replace the data by that of a backup; the server must be stopped',
    options: [
      ['--replaces FOLDER', 'where the replaced data is, if not in the data folder'],
      ['--ignore-replaced', 'do not look there for what was deleted since'],
    ],
    example: 'hedgerow restore /var/backups/hedgerow/monday',
  },
  {
    name: 'copy',
    needs: '--to-sql URL',
    summary: 'copy the data to other engines, or back, and compare; the server must be stopped',
    options: [
      ['--to-sql URL', 'postgres://…, or a data folder'],
      ['--to-events URL', 'clickhouse://…, or a data folder'],
      ['--to-blobs URL', 's3://…, or a data folder; what is not named stays where it is'],
    ],
    example:
      'hedgerow copy --to-sql postgres://hedgerow@db/hedgerow --to-events clickhouse://events/hedgerow --to-blobs s3://recordings',
  },
  {
    name: 'clock accept',
    summary: "say that the machine's clock is right after a jump or a long stop",
    example: 'hedgerow clock accept',
  },
  {
    name: 'doctor',
    summary: 'what is not as it should be, and what to do; exits 1 when something needs action',
    options: [['--json', 'print {"ok", "findings", "server"} as JSON']],
    example: 'hedgerow doctor --json',
  },
  {
    name: 'jobs list',
    summary: 'work that could not be done, with its error',
    options: [JSON_LIST],
    example: 'hedgerow jobs list',
  },
  {
    name: 'jobs retry',
    needs: 'ID',
    summary: 'try it again now',
    options: [['--all', 'every one, without an ID']],
    example: 'hedgerow jobs retry --all',
  },
  {
    name: 'outbox list',
    summary: 'what the event store refuses, with its error',
    options: [JSON_LIST],
    example: 'hedgerow outbox list',
  },
  {
    name: 'outbox retry',
    needs: 'ID',
    summary: 'try it again now',
    options: [['--all', 'every one, without an ID']],
    example: 'hedgerow outbox retry --all',
  },
]

const WIDTH = 27

/** In two columns; a left side that is too wide has a line of its own. */
function columns(rows: [string, string][]): string[] {
  return rows.map(([left, right]) => {
    if (right === '') return `  ${left}`
    const gap = left.length > WIDTH ? `\n${' '.repeat(WIDTH + 3)}` : ' '.repeat(WIDTH + 1 - left.length)
    return `  ${left}${gap}${right}`
  })
}

const lineOf = ({ name, needs, summary }: CommandHelp): [string, string] => [
  needs === undefined ? name : `${name} ${needs}`,
  summary,
]

export const USAGE = `Hedgerow: product analytics in one process.

Usage: hedgerow <command> [options]        (npm start -- [options] runs "serve")

Commands
${columns(COMMANDS.map(lineOf)).join('\n')}

${columns([
  ['--help', 'this text; after a command, what there is to say about it'],
  ['--version', 'the version'],
]).join('\n')}

All but "serve", "restore" and "copy" work while the server runs.
Settings are environment variables (HEDGEROW_PORT, HEDGEROW_DATA_DIR, …): see the README.
`

function helpOf(command: CommandHelp): string {
  const { name, needs, summary, options = [], example } = command
  const usage = ['Usage: hedgerow', name, needs, options.length > 0 ? '[options]' : undefined]
  const flags = options.length > 0 ? ['', 'Options', ...columns(options)] : []
  const lines = [`hedgerow ${name}: ${summary}.`, '', usage.filter(Boolean).join(' '), ...flags]
  return `${[...lines, '', 'Example', `  ${example}`].join('\n')}\n`
}

/** The help for these words of a command line; null when they begin with no command. */
export function helpFor([command, action]: string[]): string | null {
  const found = COMMANDS.find(({ name }) => name === `${command} ${action}` || name === command)
  if (found) return helpOf(found)
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${command} `))
  if (group.length === 0) return null
  const hint = `"hedgerow ${group[0]?.name} --help" tells more about one of them.`
  return `${[`Usage: hedgerow ${command} <action> [options]`, '', ...columns(group.map(lineOf)), '', hint].join('\n')}\n`
}
