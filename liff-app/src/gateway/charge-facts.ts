import type { ChargeSummary } from '@shop/shared/gateway/fields.ts'
import type { Satang } from '@shop/shared/money.ts'

/** What is paid by charges, with the newest: an order or a top-up. */
interface ChargedAmount {
  amountSatang: Satang
  /** What is left of it beside shop credit. */
  dueSatang?: Satang
  charge: ChargeSummary | null
}

/** A gateway that is slow to answer for so long is told of; before that it mostly answers yet. */
const SILENT_MS = 60_000

/** Tells whether the gateway does not say whether a charge was paid. @param nowDate the server's moment */
export const isSilent = (charge: Pick<ChargeSummary, 'silentSince'> | null, nowDate: string): boolean =>
  charge?.silentSince != null && Date.parse(nowDate) - Date.parse(charge.silentSince) > SILENT_MS

/** The charge that paid something, or that is to. */
const chargeOf = ({ charge }: Pick<ChargedAmount, 'charge'>) =>
  charge && ['waiting', 'paid'].includes(charge.state) ? charge : null

/** All that the buyer pays, with what the payment method costs. */
export const paidSatangOf = (paid: ChargedAmount): Satang =>
  chargeOf(paid)?.amountSatang ?? paid.dueSatang ?? paid.amountSatang

/** What the payment method costs beside the price. */
export const surchargeSatangOf = (paid: Pick<ChargedAmount, 'charge'>): Satang => chargeOf(paid)?.surchargeSatang ?? 0
