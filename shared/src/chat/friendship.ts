import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

/** This is a file of its own, because the storefront needs none of the texts sent in LINE. */
export const getFriendship = endpoint({
  method: 'GET',
  path: '/romons.chat/api/friendship',
  summary: "Whether the caller's LINE is a friend of the shop, and so hears from it",
  allow: 'account.own',
  /** null when LINE has not said, or does not know the caller. */
  reply: z.object({ isFriend: z.boolean().nullable() }),
})
