import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { isPaymentCode } from '../draft.ts'
import { isText, orNull, read, shapeOf, write } from '../storage.ts'

interface Used {
  /** Null for a guest. */
  uid: string | null
  code: PaymentCode
}
const isUsed = shapeOf<Used>({ uid: orNull(isText), code: isPaymentCode })

/** What is paid for: each has a last way of its own. */
type Paid = 'lastPayment' | 'lastTopUp'

/** By what this person paid last in this browser; null when they did not yet. Signing out forgets it. */
export function lastMethodOf(paid: Paid, uid: string | null): PaymentCode | null {
  const last = read(paid, isUsed)
  return last?.uid === uid ? last.code : null
}

export const keepLastMethod = (paid: Paid, uid: string | null, code: PaymentCode): void =>
  write(paid, { uid, code } satisfies Used)

/**
 * The method that is chosen until a person chooses another: the first of these wishes that is offered, else the first of
 * all. One that can't be used now, which its reason says, steps aside for one that can.
 */
export function methodFor<M extends { code: PaymentCode; reason?: string | undefined }>(
  methods: readonly M[],
  wishes: readonly (PaymentCode | null)[],
): M | undefined {
  const [wished = methods[0]] = wishes.flatMap(code => methods.find(each => each.code === code) ?? [])
  return wished?.reason ? (methods.find(({ reason }) => !reason) ?? wished) : wished
}
