import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { gatewayPayee } from '@shop/shared/provider-names.ts'
import type { ChargeRow, StoredCharge } from './store.ts'

/** Returns a charge as its order's pages show it. */
export const viewCharge = ({ expiresAt, silentSince, ...charge }: StoredCharge) => ({
  ...charge,
  expiresAt: new Date(expiresAt).toISOString(),
  silentSince: silentSince && new Date(silentSince).toISOString(),
})

/** Returns a charge as staff see it. */
export const viewChargeForStaff = ({ paidAt, expiresAt, silentSince, ...charge }: ChargeRow) => ({
  ...charge,
  expiresAt: expiresAt.toISOString(),
  silentSince: silentSince?.toISOString() ?? null,
  paidAt: paidAt?.toISOString() ?? null,
})

/** Returns a charge with what its buyer pays it by; nobody is led to pay one that may not be paid any more. */
export function viewPayable({ pay, ...charge }: ChargeRow): ChargeView {
  const { id, method, state, amountSatang, surchargeSatang, gateway, isWanted } = charge
  const [expiresAt, silentSince] = [charge.expiresAt.toISOString(), charge.silentSince?.toISOString() ?? null]
  return {
    ...viewCharge({ id, method, state, amountSatang, surchargeSatang, expiresAt, silentSince }),
    payee: gatewayPayee(gateway),
    pay: state === 'waiting' && isWanted ? pay : null,
  }
}
