import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

/** The largest number of pixels of a picture, because even a small file can fill the memory. */
export const PIXEL_LIMIT = 20_000_000

export const uploadSlip = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/uploadslip',
  summary: 'Stores a slip picture, re-encoded and private to its uploader and staff',
  allow: 'slip.upload',
  bodyKind: 'file',
  idempotent: true,
  reply: z.object({
    id: z.uuid(),
    /** Where the uploader and staff can read the picture. */
    url: z.string(),
    /** Whether a bank's mini QR code was found on it; that only distinguishes slips and proves no payment. */
    hasBankReference: z.boolean(),
  }),
  errors: ['SLIP_NOT_IMAGE', 'SLIP_TOO_LARGE', 'SLIP_IS_PAYMENT_QR', 'SLIP_REUSED', 'RATE_LIMITED'],
})

export const getSlip = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/slip/:id',
  summary: 'A slip picture, for its uploader and staff',
  allow: 'slip.look',
  params: z.object({ id: z.uuid() }),
  reply: z.any(),
  replyKind: 'binary',
  errors: ['NOT_FOUND'],
})
