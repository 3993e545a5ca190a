import * as z from 'zod'
import { GATEWAY_METHODS } from '../catalogue/payment-method.ts'
import { instant, satang } from '../wire.ts'
import { CHARGE_STATES } from './gateway.ts'

/** A try to pay an order through the gateway, as the order's pages show it. */
export const chargeSummary = z.object({
  id: z.uuid(),
  method: z.enum(GATEWAY_METHODS),
  state: z.enum(CHARGE_STATES),
  /** All that the buyer pays, with `surchargeSatang`. */
  amountSatang: satang,
  surchargeSatang: satang,
  expiresAt: instant,
})
