import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

/** null when LINE has not said, or does not know the caller. */
const friendship = z.object({ isFriend: z.boolean().nullable() })

/** This is a file of its own, because the storefront needs none of the texts sent in LINE. */
export const getFriendship = endpoint({
  method: 'GET',
  path: '/romons.chat/api/friendship',
  summary: "Whether the caller's LINE is a friend of the shop, and so hears from it",
  allow: 'account.own',
  reply: friendship,
})

export const learnFriendship = endpoint({
  method: 'PUT',
  path: '/romons.chat/api/friendship',
  summary: "Asks LINE whether the caller is a friend of the shop, with the access token that the caller's LINE gave",
  allow: 'account.own',
  body: z.object({ accessToken: z.string().min(1).max(2000) }),
  reply: friendship,
  errors: ['RATE_LIMITED'],
})
