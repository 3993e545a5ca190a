import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { endOfPayee, type Payee } from '@shop/shared/order/payee.ts'
import { fitOfRefund, isPayerKnown, type PayeeFit, type Payer, payeeOfPayer } from '@shop/shared/order/payer.ts'
import { givePayee, transferredBack } from '@shop/shared/order/refund.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { isOwner, mustHaveKey } from '../account/caller.ts'
import type { AuditSide } from '../audit/store.ts'
import { type Context, type Route, route } from '../call/route.ts'
import { isRequested, saveRequestedPayee } from '../order/money-back-store.ts'
import { viewOrder } from '../order/showing.ts'
import { findOrderEvents, lockOrder, saveOutcome } from '../order/store.ts'
import { openAccountHash } from '../transfer/account-hash.ts'
import { findPayers } from '../transfer/payer-store.ts'
import { useSlip } from '../upload/store.ts'
import { lockOpenOfOrder, savePayee } from './refund-store.ts'

/** What the audit log keeps of an account: whose it is, and its last digits. */
export function payeeSide(payee: Payee | null): AuditSide {
  if (!payee) return {}
  const { bankCode, end } = endOfPayee(payee)
  const number = bankCode === null ? { promptPayId: `x${end}` } : { bankCode, accountNo: `x${end}` }
  return { ...number, accountName: payee.accountName }
}

/** @throws REFUND_REASON_NEEDED for an account that is not the one that paid, without words of why */
export function mustGiveReason(fit: PayeeFit, reason: string | undefined): void {
  if ((fit === 'otherAccount' || fit === 'otherName') && !reason) throw new AppError('REFUND_REASON_NEEDED')
}

/** What is owed or asked for of an order, with the account that the money of each came from. */
interface OpenRefund {
  id: string
  payers: (Payer | null)[]
}

type Named = Omit<Parameters<typeof savePayee>[2], 'payeeHash'>

/**
 * The buyer says where owed money is to be sent. A tracking link is not enough, because many people may have it, and
 * whoever names the account gets the money. @param name says it for one refund; null leaves it as it is
 */
async function give(
  context: Context,
  orderNo: string,
  name: (refund: OpenRefund) => Named | null,
  { paidSlipId, refusal }: { paidSlipId?: string | undefined; refusal: (open: OpenRefund[]) => AppError },
) {
  const { shop, now, uid } = context
  const hash = openAccountHash(shop.config)
  await shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked || !isOwner(context, locked.buyerKey)) throw new AppError('ORDER_NOT_FOUND')
    const { order } = locked
    const asked = order.status === 'failed' && (await isRequested(tx, order.id)) && transferredBack(order) > 0
    const rows = [...(await lockOpenOfOrder(tx, order.id)), ...(asked ? [{ id: order.id }] : [])]
    const payers = await findPayers(
      tx,
      rows.map(({ id }) => id),
    )
    const open = rows.map(row => ({ ...row, payers: payers.get(row.id)! }))
    const named = open.flatMap(refund => {
      const saved = name(refund)
      return saved ? [{ id: refund.id, ...saved }] : []
    })
    if (open.length > 0 && named.length === 0) throw refusal(open)
    if (paidSlipId) await useSlip(tx, { slipId: paidSlipId, uploaderKey: mustHaveKey(context), usedFor: order.id })
    for (const { id, ...saved } of named) {
      const whole = { ...saved, payeeHash: hash(saved.payee) }
      if (id === order.id) await saveRequestedPayee(tx, id, whole, now)
      else await savePayee(tx, id, whole, { uid: null, now })
    }
    const given = (await findOrderEvents(tx, order.id)).filter(({ kind }) => kind === 'payee_given').length
    // Here a member of the staff acts as a customer.
    const actor = { uid, role: uid ? ('customer' as const) : ('guest' as const) }
    await saveOutcome(tx, givePayee(order, named[0]?.payee ?? null, actor, { open: open.length, given }, now))
  })
  return viewOrder(context, orderNo)
}

type Given = ParsedInput<typeof contract.giveRefundPayee>['body']

function giveOther(context: Context, orderNo: string, { reason, paidSlipId, ...payee }: Given) {
  const name = (refund: OpenRefund) => {
    const fit = fitOfRefund(payee, { ...refund, isFromCredit: false })
    mustGiveReason(fit, reason)
    return { payee, paidSlipId, payeeReason: fit === 'payer' ? null : reason }
  }
  return give(context, orderNo, name, { paidSlipId, refusal: () => new AppError('NOTHING_TO_REFUND') })
}

/** The money goes back to the account that it came from; the buyer types what the bank does not tell of it. */
function giveBack(context: Context, orderNo: string, typed: ParsedInput<typeof contract.refundToPayer>['body']) {
  const name = ({ payers }: OpenRefund) => {
    const payee = payeeOfPayer(payers[0] ?? null, typed)
    return payee && { payee }
  }
  const refusal = (open: OpenRefund[]) =>
    new AppError(
      open.some(({ payers }) => isPayerKnown(payers[0] ?? null)) ? 'PAYER_NUMBER_DIFFERS' : 'PAYER_NOT_KNOWN',
    )
  return give(context, orderNo, name, { refusal })
}

export const payeeRoutes: Route[] = [
  route(contract.giveRefundPayee, ({ params, body }, context) => giveOther(context, params.orderNo, body)),
  route(contract.refundToPayer, ({ params, body }, context) => giveBack(context, params.orderNo, body)),
]
