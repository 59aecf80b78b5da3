/** Starts the app in the page that the server sends. */
import './look/layers.css'
import './look/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './data/query-client.ts'
import { ApiProblem } from './data/requests/api-problem.ts'
import { base, boot } from './data/session.ts'
import { Toasts } from './kit/overlay/toasts.tsx'
import { makeRouter } from './router.tsx'
import { ConnectionLine } from './shell/connection-line.tsx'
import { ProofDialog } from './shell/over/proof-dialog.tsx'

// Links of the page, such as its icon, are relative to the address it was loaded at, which changes from here on.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[href]')) link.setAttribute('href', link.href)

const place = document.getElementById('app')
/** What the API refused is on the screen already. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiProblem)) console.error(error)
}
const router = makeRouter(boot, base.pathname)

if (place)
  createRoot(place, { onCaughtError }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <ConnectionLine />
          <RouterProvider router={router} />
          <ProofDialog />
        </Toasts>
      </QueryClientProvider>
    </StrictMode>,
  )
