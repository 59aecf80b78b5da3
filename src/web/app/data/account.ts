/** The user who is signed in: their password, theme and sign-ins. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

type SignIns = operations['sign_in_users_me_login_sessions_retrieve']['responses'][200]['content']['application/json']
export type SignIn = SignIns[number]

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }): Promise<SignIns> => answerOf(api.GET('/api/users/@me/login_sessions/', { signal })),
})

function useSignInChange<Input>(run: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries(signInsQuery) })
}

export const useRevokeSignIn = () =>
  useSignInChange((id: string) =>
    answerOf(api.DELETE('/api/users/@me/login_sessions/{id}/', { params: { path: { id } } })),
  )

export const useRevokeOthers = () =>
  useSignInChange((_: undefined) => answerOf(api.POST('/api/users/@me/login_sessions/revoke_others/')))

type UserPatch = NonNullable<operations['users_me_partial_update']['requestBody']>['content']['application/json']

export const changeUser = (body: UserPatch) => answerOf(api.PATCH('/api/users/@me/', { body }))

interface Passwords {
  password: string
  current_password: string
}

export const useChangePassword = () => useMutation({ mutationFn: (body: Passwords) => changeUser(body), gcTime: 0 })
