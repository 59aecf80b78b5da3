/** The API document of this server: its routes, with what applies to all of them and where they begin. */
import { type OpenApiDocument, openApiDocument } from '../../http/openapi/document.ts'
import type { Route } from '../../http/route.ts'
import { version } from '../../lib/version.ts'
import { API_DESCRIPTION, TAG_DESCRIPTIONS } from './api-description.ts'
import { EXPLORER_PATH } from './explorer-page.ts'

export interface DocsParts {
  publicUrl: string | null
}

/** As the licence names them. Of addresses only that of this server's own documentation is known, if any. */
const contactOf = (publicUrl: string | null) => ({
  name: 'The Hedgerow authors',
  ...(publicUrl === null ? {} : { url: publicUrl + EXPLORER_PATH }),
})

/** A client that knows no other address resolves `/` against the one that it has the document from. */
const serverOf = (publicUrl: string | null) =>
  publicUrl === null
    ? { url: '/', description: 'This server' }
    : { url: publicUrl, description: 'This server, by its public address' }

export function createDocsFeature({ publicUrl }: DocsParts) {
  return {
    documentOf: (routes: Route[]): OpenApiDocument =>
      openApiDocument(routes, {
        info: { title: 'Hedgerow', version: version(), description: API_DESCRIPTION, contact: contactOf(publicUrl) },
        server: serverOf(publicUrl),
        tags: TAG_DESCRIPTIONS,
      }),
  }
}

export type DocsFeature = ReturnType<typeof createDocsFeature>
