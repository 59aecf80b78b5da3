/**
 * The address of a share's page, made from the URL of a request for its configuration: what comes before `/api/` there,
 * a path of the public address included, comes before `/shared/` here.
 */
const CONFIGURATION = /\/api\/(?:environments|projects)\/[^/]+\/session_recordings\/[^/]+\/sharing(?:\/refresh)?\/*$/

export const shareUrl = ({ origin, pathname }: URL, token: string): string =>
  `${origin}${pathname.replace(CONFIGURATION, '')}/shared/${token}`
