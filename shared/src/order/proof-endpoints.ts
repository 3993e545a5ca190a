import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { orderNo } from './own-endpoints.ts'

export const confirmMoney = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/confirmmoney',
  summary:
    'A second person says that the money of an order is there that somebody marked paid: the supplier may have it',
  allow: 'order.work',
  body: z.object({ orderNo }),
  reply: z.object({ orderNo }),
  errors: [
    'ORDER_NOT_FOUND',
    'MONEY_NOT_AWAITED',
    'OWN_ORDER',
    'SECOND_PERSON_NEEDED',
    'SECOND_PERSON_MANAGER',
    'SECOND_PERSON_RECENT',
  ],
})
