/** What `--help` prints. */
export const USAGE = `Hedgerow: product analytics in one process.

Usage: hedgerow <command> [options]        (npm start -- [options] runs "serve")

Commands
  serve [--demo]              start the server; --demo adds a project with example data
        [--accept-loss]       go on although stores do not belong together or data is missing
  migrate                     bring the SQL store to the newest schema and exit
  keys list                   every personal API key, without its secret
  keys create --label TEXT    make a key and print it once
       [--user EMAIL] [--scopes person:read,person:write] [--projects 1,2] [--expires 2027-01-31]
  keys revoke ID              delete a key; it stops working within a second
  users list                  every user, with the ids of its organizations
  users create --email TEXT   make a user in the first organization, or in --organization ID
       [--first-name TEXT] [--last-name TEXT] [--organization ID | --new-organization NAME]
  users remove EMAIL          remove a user and its keys; what it made keeps its name
  users join EMAIL --organization ID
                              make a user a member of another organization
  users leave EMAIL --organization ID
                              end a membership; its projects are out of reach within a second
  projects list               every project with its token
  projects create --name TEXT make a project [--organization ID]
  deletions run --project ID  delete the events of deleted persons now, not on Sunday
  clock accept                say that the machine's clock is right after a jump or a long stop
  doctor                      what is not as it should be, and what to do
  jobs list                   work that could not be done, with its error
  jobs retry ID               try it again now; --all for every one
  outbox list                 what the event store refuses, with its error
  outbox retry ID             try it again now; --all for every one

  --help                      this text
  --version                   the version

All but "serve" work while the server runs.
Settings are environment variables (HEDGEROW_PORT, HEDGEROW_DATA_DIR, …): see the README.
`
