/** The user who is signed in: their password, theme and sign-ins. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from './client.ts'

export interface SignIn {
  id: string
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  user_agent: string | null
  ip: string | null
  via: 'password' | 'link' | 'key'
  is_current: boolean
}

const PATH = 'api/users/@me/login_sessions/'

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async () => {
    const answer = await send<SignIn[] | { results: SignIn[] }>('GET', PATH)
    return Array.isArray(answer) ? answer : answer.results
  },
})

function useSignInChange<Input>(run: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries(signInsQuery) })
}

export const useRevokeSignIn = () => useSignInChange((id: string) => send('DELETE', `${PATH}${encodeURIComponent(id)}/`))

export const useRevokeOthers = () => useSignInChange((_: undefined) => send('POST', `${PATH}revoke_others/`))

interface Passwords {
  password: string
  current_password?: string
}

export const useChangePassword = () =>
  useMutation({ mutationFn: (body: Passwords) => send('PATCH', 'api/users/@me/', body), gcTime: 0 })
