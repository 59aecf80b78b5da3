/** `next`: where to go afterwards, a path of the app; `with`: what to sign in with. */
import { choice, defineSearch, ownPath } from '../../data/search.ts'

export interface SignInState {
  next: string
  with: 'password' | 'key'
}

export const signInSearch = defineSearch<SignInState>({
  next: ownPath('/'),
  with: choice(['password', 'key'], 'password'),
})
