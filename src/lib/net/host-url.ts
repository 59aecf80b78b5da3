/** The `http:` address of a host; one of IPv6 is written in brackets. */
export const hostUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
