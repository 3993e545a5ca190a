import * as z from 'zod'
import { GATEWAY_METHODS } from '../catalogue/payment-method.ts'
import { GATEWAY_NAMES } from '../provider-names.ts'
import { instant, satang } from '../wire.ts'
import { CHARGE_STATES } from './gateway.ts'

/** A try to pay an order or a top-up through the gateway, as its pages show it. */
export const chargeSummary = z.object({
  id: z.uuid(),
  method: z.enum(GATEWAY_METHODS),
  state: z.enum(CHARGE_STATES),
  /** All that the buyer pays, with `surchargeSatang`. */
  amountSatang: satang,
  surchargeSatang: satang,
  expiresAt: instant,
  /** Since when the gateway gives no answer about it; null while it does. */
  silentSince: instant.nullable(),
})
export type ChargeSummary = z.output<typeof chargeSummary>

/** What a buyer needs for paying a charge. */
export const chargeView = chargeSummary.extend({
  /** Who stands as the receiver on the buyer's bank screen. */
  payee: z.string(),
  /** A QR code as a picture or as its text, or the page that takes the money; null while the gateway is asked. */
  pay: z
    .discriminatedUnion('by', [
      z.object({ by: z.literal('qr'), svg: z.string() }),
      z.object({ by: z.literal('qrText'), text: z.string() }),
      z.object({ by: z.literal('page'), url: z.url() }),
    ])
    .nullable(),
})
export type ChargeView = z.output<typeof chargeView>

/** A charge as staff see it. */
export const chargeForStaff = chargeSummary.extend({
  gateway: z.enum(GATEWAY_NAMES),
  /** The gateway's own id. */
  reference: z.string().nullable(),
  paidAt: instant.nullable(),
  /** What the gateway keeps of the money. */
  feeSatang: satang.nullable(),
})
