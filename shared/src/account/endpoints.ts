import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { ROLES } from '../permissions.ts'

const name = z.string().trim().max(100)

/** The signed-in person as the apps know them. */
export const me = z.object({
  uid: z.string(),
  username: z.string(),
  providers: z.array(z.string()),
  name: z.string(),
  surname: z.string(),
  displayName: z.string(),
  tel: z.string().nullable(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  reward: z.number().int(),
  createdDate: z.iso.datetime(),
  /** true active, false inactive, null pending. */
  isActived: z.boolean().nullable(),
  role: z.enum(ROLES),
  isPasswordChange: z.boolean(),
  isPinChange: z.boolean(),
  hasWallet: z.boolean(),
})
export type Me = z.output<typeof me>

export const syncAccount = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/sync',
  summary: 'Records a registration or sign-in; uid, email and provider come from the token',
  allow: 'account.sync',
  body: z.object({
    username: z.string().trim().max(50).optional(),
    name: name.optional(),
    surname: name.optional(),
    tel: z.string().trim().max(20).optional(),
  }),
  reply: me,
  errors: ['PHONE_INVALID', 'ACCOUNT_INACTIVE'],
})

export const getMe = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/me',
  summary: 'The signed-in account',
  allow: 'account.own',
  reply: me,
})
