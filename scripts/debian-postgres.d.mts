/** The folder of the newest version of Debian's PostgreSQL; null when there is none. */
export function findDebianPostgres(): string | null
