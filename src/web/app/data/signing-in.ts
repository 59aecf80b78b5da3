/** Getting in, by a password, a key or a link, and out again. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { leaveFor } from './session.ts'

export const preflightQuery = queryOptions({
  queryKey: ['preflight'],
  queryFn: () => answerOf(api.GET('/_preflight/')),
  retry: false,
})

export type Credential = { email: string; password: string } | { personal_api_key: string }

export const useSignIn = () =>
  useMutation({ mutationFn: (body: Credential) => answerOf(api.POST('/api/login/', { body })), gcTime: 0 })

export async function signOut(): Promise<void> {
  await answerOf(api.POST('/logout/'))
  leaveFor('/login')
}

export interface AccountLink {
  purpose: 'setup' | 'reset'
  target_email: string
  organization_name: string | null
}

/** Whom a link is for. The token goes in the body, so that no log has it. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['account-link', token],
    // Without a password nothing is done, and the answer is never the one of a link that was used.
    queryFn: async () => (await answerOf(api.POST('/api/signup/', { body: { token } }))) as AccountLink,
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
  useMutation({ mutationFn: (body: LinkUse) => answerOf(api.POST('/api/signup/', { body })), gcTime: 0 })

export const useAskForReset = () =>
  useMutation({ mutationFn: (email: string) => answerOf(api.POST('/api/reset/', { body: { email } })) })
