import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { gatewayPayee } from '@shop/shared/provider-names.ts'
import type { ChargeRow, StoredCharge } from './store.ts'

/** Returns a charge as its order's pages show it. */
export const viewCharge = ({ expiresAt, ...charge }: StoredCharge) => ({
  ...charge,
  expiresAt: new Date(expiresAt).toISOString(),
})

/** Returns a charge as staff see it. */
export const viewChargeForStaff = ({ paidAt, expiresAt, ...charge }: ChargeRow) => ({
  ...charge,
  expiresAt: expiresAt.toISOString(),
  paidAt: paidAt?.toISOString() ?? null,
})

/** Returns a charge with what its buyer pays it by; nobody is led to pay one that may not be paid any more. */
export function viewPayable({ pay, ...charge }: ChargeRow): ChargeView {
  const { id, method, state, amountSatang, surchargeSatang, expiresAt, gateway, isWanted } = charge
  return {
    ...viewCharge({ id, method, state, amountSatang, surchargeSatang, expiresAt: expiresAt.toISOString() }),
    payee: gatewayPayee(gateway),
    pay: state === 'waiting' && isWanted ? pay : null,
  }
}
