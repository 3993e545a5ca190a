import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { rowId, rowIdParam } from '../wire.ts'

/**
 * It changes with every order, so it is no part of the catalogue. A package is left out whose codes in stock never expire,
 * and one that suppliers alone deliver: what those would send is not known before.
 */
export const listSoonestExpiries = endpoint({
  method: 'GET',
  path: '/romons.voucher/api/expiry/:gameId',
  summary: 'The day on which a code from the stock may expire at the soonest, for each package of a game',
  allow: 'catalogue.browse',
  params: z.object({ gameId: rowIdParam }),
  reply: z.array(z.object({ packageId: rowId, soonestExpiry: z.iso.date() })),
})
