import { isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { TopUpPayment } from '@shop/shared/wallet/top-up.ts'
import { useState } from 'react'
import { useSession } from '../account/session.tsx'
import { findOffReason } from '../settings/limits.ts'
import { keepLastMethod, lastMethodOf, methodFor } from '../settings/method-choice.ts'
import { useTopUpMethods } from '../settings/offered-methods.ts'

const TRANSFER = { code: 'bank' as const }

/**
 * How a top-up is paid: as the last one of this person, else by the gateway, whose money comes at once.
 * @param isEdited it was asked for as a transfer and stays one
 * @param amountSatang null while none is typed that can be topped up
 */
export function useTopUpMethod(isEdited: boolean, amountSatang: Satang | null) {
  const { me } = useSession()
  const uid = me?.uid ?? null
  const [wish, setMethod] = useState<TopUpPayment | null>(null)
  /** The gateway's methods, with why one can't be chosen for this amount. */
  const methods = useTopUpMethods().flatMap(each =>
    isGatewayMethod(each.code) ? [{ ...each, code: each.code, reason: findOffReason(each, amountSatang, null) }] : [],
  )
  const { code } = methodFor([...methods, TRANSFER], [wish, lastMethodOf('lastTopUp', uid)]) ?? TRANSFER
  const method: TopUpPayment = isEdited ? 'bank' : code
  return {
    methods,
    method,
    setMethod,
    /** The next top-up is paid the same way, until another is chosen. */
    keep: () => isEdited || keepLastMethod('lastTopUp', uid, method),
  }
}
