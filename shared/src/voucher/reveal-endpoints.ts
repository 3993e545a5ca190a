import * as z from 'zod'
import { code, pin } from '../account/fields.ts'
import { PIN_ERRORS } from '../account/pin-endpoints.ts'
import { endpoint } from '../endpoint.ts'
import { typedMail } from '../line.ts'
import { orderCodes } from '../order/codes.ts'
import { orderNo } from '../order/own-endpoints.ts'
import { instant as time } from '../wire.ts'

/** So many codes are shown by one call. */
export const MOST_REVEALED = 200

/** A code as its buyer sees it. */
const shownCode = z.object({
  id: z.uuid(),
  code: z.string(),
  pin: z.string().nullable(),
  serial: z.string().nullable(),
  /** Bangkok day. */
  expiresOn: z.string().nullable(),
  region: z.string(),
  /** When and on what device it was first seen. */
  revealedAt: time,
  revealedOn: z.string(),
})
export type ShownCode = z.output<typeof shownCode>

/**
 * The only answer that has codes in clear. It is not idempotent on purpose: a stored reply would hold them, and to look
 * twice changes nothing but a count.
 */
export const revealCodes = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/reveal',
  summary: 'Shows codes of an order to its buyer; keeps when and on what device each was first seen',
  allow: 'order.changeOwn',
  body: z.object({
    orderNo,
    ids: z.array(z.uuid()).min(1).max(MOST_REVEALED),
    /** For those whose codes open by the PIN of their wallet. */
    pin: pin.optional(),
    /** The number that was sent by mail. */
    number: code.optional(),
  }),
  reply: z.object({
    codes: z.array(shownCode),
    /** How they are redeemed, as the shop says today; empty when it says nothing. */
    redeemHelp: z.string(),
  }),
  errors: [
    'ORDER_NOT_FOUND',
    'CODES_NOT_SHOWN',
    'CODES_ELSEWHERE',
    'CODES_NEED_PIN',
    'PIN_WRONG',
    ...PIN_ERRORS,
    'NUMBER_WRONG',
    'NUMBER_OVER',
    'RATE_LIMITED',
  ],
})

export const giveCodeAddress = endpoint({
  method: 'PUT',
  path: '/romons.voucher/api/address/:orderNo',
  summary: "The address to which a guest's order sends a number that opens its codes on another device",
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  body: z.object({ address: typedMail() }),
  reply: z.object({ codes: orderCodes.nullable() }),
  errors: ['ORDER_NOT_FOUND', 'CODES_NOT_SHOWN', 'RATE_LIMITED'],
})

export const sendCodeNumber = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/send/:orderNo',
  summary: "Sends that number to the address of a guest's order; an earlier one is over",
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  body: z.object({}),
  /** The address, of which only its ends are shown. */
  reply: z.object({ sentTo: z.string() }),
  errors: ['ORDER_NOT_FOUND', 'CODES_NOT_SHOWN', 'CODES_ELSEWHERE', 'SHOP_HOLDS', 'MAIL_NOT_SENT', 'RATE_LIMITED'],
})
