import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

/** On its own, as the storefront needs none of what is said in LINE. */
export const getFriendship = endpoint({
  method: 'GET',
  path: '/romons.chat/api/friendship',
  summary: "Whether the caller's LINE is a friend of the shop, and so hears from it",
  allow: 'account.own',
  /** null: LINE has not told, or does not know the caller. */
  reply: z.object({ isFriend: z.boolean().nullable() }),
})
