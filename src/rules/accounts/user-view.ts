/** A user as other objects show their author: the seed's User object, no field of which is ever null. */
import { Type } from 'typebox'
import type { User } from '../../model/accounts/user.ts'

export const UserBasic = Type.Object({
  id: Type.Integer(),
  uuid: Type.String(),
  distinct_id: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  is_email_verified: Type.Boolean(),
  hedgehog_config: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
})

export const viewUser = (user: User) => ({
  id: user.id,
  uuid: user.uuid,
  distinct_id: user.distinctId,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  is_email_verified: user.isEmailVerified,
  hedgehog_config: {},
})

export const USER_EXAMPLE = {
  id: 1,
  uuid: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2d',
  distinct_id: 'kT4bV8nZ1cY6d7mQ2pXw9R',
  first_name: 'Admin',
  last_name: '',
  email: 'admin@localhost',
  is_email_verified: false,
  hedgehog_config: {},
}
