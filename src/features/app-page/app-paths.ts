/**
 * The paths at which the web app is served, besides `/`: every other path stays the API's. Those of
 * src/web/app/screens.ts, which knows what is shown at each; a test compares the two.
 */
export const APP_PATHS = ['/login', '/setup', '/signup', '/reset', '/project/*', '/instance/*'] as const
