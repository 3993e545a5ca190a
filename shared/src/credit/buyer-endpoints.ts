import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { listRunningOrders, ownRow } from '../order/own-endpoints.ts'
import { getWallet } from '../wallet/endpoints.ts'
import { getCredit } from './endpoints.ts'

export const getBuyer = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/buyer/:gameCode',
  summary: 'What a purchase of a game has to know of its buyer; of a guest only the orders of this browser',
  allow: 'order.own',
  params: z.object({ gameCode: z.string().min(1).max(50) }),
  reply: z.object({
    running: listRunningOrders.reply,
    /** null for who has none, or may not use it. */
    wallet: getWallet.reply.nullable(),
    /** null for who may have none. */
    credit: getCredit.reply.nullable(),
    /** The account's last deliveries of the game. */
    deliveries: z.array(ownRow),
    /** The version of the terms that the account accepted last; null for a guest, too. */
    acceptedTerms: z.string().nullable(),
  }),
})
export type Buyer = z.output<typeof getBuyer.reply>
