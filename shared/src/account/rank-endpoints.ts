import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { ROLES } from '../permissions.ts'

export const listRoles = endpoint({
  method: 'GET',
  path: '/romons.users/api/roles',
  summary: 'Every role with its Thai name',
  allow: 'account.list',
  forOthers: true,
  reply: z.array(z.object({ id: z.enum(ROLES), name: z.string() })),
})

/** The caller must have signed in within the last five minutes; all their sessions end. */
export const stepDown = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/stepdown',
  summary: 'Makes the caller, an admin, a manager at their own wish; every admin is told',
  allow: 'admin.stepDown',
  reply: z.object({ uid: z.string() }),
  errors: ['FORBIDDEN', 'LAST_ADMIN', 'RECENT_SIGN_IN_REQUIRED'],
})
