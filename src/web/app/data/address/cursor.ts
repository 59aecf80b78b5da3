/** Where the page begins that an address of the server's leads to; empty where there is none. */
export const cursorIn = (link: string | null): string =>
  link === null ? '' : (new URL(link).searchParams.get('cursor') ?? '')
