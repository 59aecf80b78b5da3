/** Getting in, by a password, a key or a link, and out again. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import { send } from './client.ts'
import { leaveFor } from './session.ts'

interface Preflight {
  /** Somebody has a password. */
  initiated: boolean
  email_service_available: boolean
}

export const preflightQuery = queryOptions({
  queryKey: ['preflight'],
  queryFn: () => send<Preflight>('GET', '_preflight/'),
  retry: false,
})

export type Credential = { email: string; password: string } | { personal_api_key: string }

export const signIn = (credential: Credential): Promise<unknown> => send('POST', 'api/login/', credential)

export const useSignIn = () => useMutation({ mutationFn: signIn, gcTime: 0 })

export async function signOut(): Promise<void> {
  await send('POST', 'logout')
  leaveFor('/login')
}

export interface AccountLink {
  purpose: 'setup' | 'invite' | 'reset'
  target_email: string
  organization_name: string | null
}

/** Whom a link is for. The token goes in the body, so that no log has it. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['account-link', token],
    queryFn: () => send<AccountLink>('POST', 'api/signup/', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== '',
  })

interface LinkUse {
  token: string
  first_name?: string
  password: string
}

export const useUseLink = () =>
  useMutation({ mutationFn: (body: LinkUse) => send('POST', 'api/signup/', body), gcTime: 0 })

export const useAskForReset = () =>
  useMutation({ mutationFn: (email: string) => send('POST', 'api/reset/', { email }) })
