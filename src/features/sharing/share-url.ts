/**
 * The addresses of a share's page, and of the recording in the web app, made from the URL of a request for the share's
 * configuration: what comes before `/api/` there, a path of the public address included, comes before these here.
 */
const CONFIGURATION = /\/api\/(?:environments|projects)\/[^/]+\/session_recordings\/[^/]+\/sharing(?:\/refresh)?\/*$/

const baseOf = ({ origin, pathname }: URL): string => origin + pathname.replace(CONFIGURATION, '')

export const shareUrl = (url: URL, token: string): string => `${baseOf(url)}/shared/${token}`

export const replayUrl = (url: URL, projectId: number, sessionId: string): string =>
  `${baseOf(url)}/project/${projectId}/replay/${encodeURIComponent(sessionId)}`
