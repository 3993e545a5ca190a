import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { endOfPayee, type Payee, payeeEndText } from '@shop/shared/order/payee.ts'
import { sendRefund } from '@shop/shared/order/refund.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { audit } from '../audit/store.ts'
import { receivingAccountExists } from '../catalogue/store.ts'
import type { Sql } from '../database/database.ts'
import { isOwner, may, mustHaveKey } from '../http/caller.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, personOf, type Route, route } from '../http/route.ts'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { isSlipFree } from '../transfer/store.ts'
import { useSlip } from '../upload/store.ts'
import { moveValue } from '../value/moving.ts'
import { postLedger } from '../wallet/store.ts'
import { payeeSide } from './payee.ts'
import {
  findOrderOfRefund,
  findOwedRefund,
  findOwedRefunds,
  findOwedSum,
  isSentElsewhere,
  type LockedRefund,
  lockOwedRefund,
  type OwedRefundRow,
  savePayee,
  saveSent,
} from './refund-store.ts'

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null

function viewRefund({ createdAt, sentAt, sentByName, sentFromId, sentSlipId, reference, ...row }: OwedRefundRow) {
  const sent = {
    at: iso(sentAt)!,
    byName: sentByName,
    receivingAccountId: sentFromId,
    reference,
    slipId: sentSlipId,
  }
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    payeeEnd: row.payee && endOfPayee(row.payee),
    payeeAt: iso(row.payeeAt),
    sent: sentAt && sent,
  }
}

/** Whoever sends the money needs its owner's account, or a way to ask for it; a bookkeeper needs only the name. */
const forBooks = (refund: contract.OwedRefund): contract.OwedRefund => ({
  ...refund,
  person: { ...refund.person, email: null, phone: null },
  payee: null,
})

export async function mustFindRefund(tx: Sql, id: string) {
  const row = await findOwedRefund(tx, id)
  invariant(row, 'what was locked is there')
  return viewRefund(row)
}

/** Locks what is owed, and before it the order it is about, for somebody who is not its owner. */
export async function lockOwed(tx: Sql, context: Context, id: string, payeeVersion: number) {
  const orderId = await findOrderOfRefund(tx, id)
  const order = orderId === null ? null : await lockOrder(tx, { id: orderId })
  const owed = await lockOwedRefund(tx, id)
  if (!owed) throw new AppError('NOT_FOUND')
  const { uid } = personOf(context)
  if (owed.buyerUid === uid || (owed.buyerKey && isOwner(context, owed.buyerKey))) throw new AppError('OWN_ORDER')
  if (!owed.isOpen) throw new AppError('CONFLICT')
  if (owed.payeeVersion !== payeeVersion) throw new AppError('PAYEE_CHANGED')
  return { owed, order: order?.order ?? null }
}

interface Sending {
  receivingAccountId: number
  reference: string
  payeeVersion: number
  slipId?: string | undefined
}

/** The order whose money it was is refunded now, as its buyer is told. Other money of it ends nothing. */
export async function endRefund(
  tx: Sql,
  actor: Actor,
  { isOfOrder }: Pick<LockedRefund, 'isOfOrder'>,
  order: Order | null,
  now: Date,
): Promise<void> {
  if (!isOfOrder) return
  invariant(order, 'an owed refund names its order')
  await saveOutcome(tx, sendRefund(order, actor, now))
}

/**
 * Hands in the slip of a refund. One transfer may send several refunds to one account; the buyer sees the slip, so that
 * of somebody else's would also show them another person's account.
 */
async function useRefundSlip(tx: Sql, slipId: string, use: { uploaderKey: string; usedFor: string }): Promise<void> {
  await useSlip(tx, { slipId, ...use })
  // Two who send with the same transfer wait for each other here.
  if (!(await isSlipFree(tx, slipId, use.usedFor)) || (await isSentElsewhere(tx, slipId, use.usedFor)))
    throw new AppError('SLIP_REUSED')
}

/** Records that an owed refund was sent, once: in the books the money leaves the account. */
async function send(tx: Sql, context: Context, id: string, sending: Sending) {
  const { receivingAccountId, reference, payeeVersion, slipId = null } = sending
  const { owed, order } = await lockOwed(tx, context, id, payeeVersion)
  const person = personOf(context)
  if (!(await receivingAccountExists(tx, receivingAccountId))) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  const { buyerUid, buyerKey, amountSatang } = owed
  const owners = [...(buyerUid ? [`u:${buyerUid}`] : []), ...(buyerKey ? [buyerKey] : [])]
  const to = owed.payee ? ` โอนไป ${payeeEndText(endOfPayee(owed.payee))}` : ''
  const move = { amountSatang, subject: `owedRefund:${id}`, note: `อ้างอิง ${reference}${to}`, owners } as const
  await moveValue(tx, person, { kind: 'refundSent', ...move })
  if (slipId) await useRefundSlip(tx, slipId, { uploaderKey: mustHaveKey(context), usedFor: id })
  await saveSent(tx, id, { at: person.now, by: person.uid, receivingAccountId, reference, slipId })
  const postings = [{ from: 'refunds', to: `bank:${receivingAccountId}`, amountSatang } as const]
  const transaction = { kind: 'refund_sent', reason: reference, reversesId: null, postings } as const
  await postLedger(tx, { ...transaction, id: uuidv7(), subjectId: id })
  await endRefund(tx, person, owed, order, person.now)
  const after = { amountSatang, receivingAccountId, reference, ...payeeSide(owed.payee) }
  await audit(tx, person, { action: 'refund.send', subject: `owedRefund:${id}`, before: null, after })
  return mustFindRefund(tx, id)
}

/** Writes down an account that the money's owner told staff. */
async function setPayee(context: Context, id: string, { payeeVersion, ...payee }: Payee & { payeeVersion: number }) {
  return context.shop.db.transaction(async tx => {
    const { owed } = await lockOwed(tx, context, id, payeeVersion)
    await savePayee(tx, id, payee, personOf(context))
    const sides = { before: owed.payee && payeeSide(owed.payee), after: payeeSide(payee) }
    await audit(tx, personOf(context), { action: 'refund.setPayee', subject: `owedRefund:${id}`, ...sides })
    return mustFindRefund(tx, id)
  })
}

export const refundRoutes: Route[] = [
  route(contract.listOwedRefunds, async ({ query }, context) => {
    const { shop, now } = context
    const [{ rows, total }, owedSatang] = await Promise.all([findOwedRefunds(shop.db, query), findOwedSum(shop.db)])
    const shown = may(context, 'order.refund') ? rows.map(viewRefund) : rows.map(viewRefund).map(forBooks)
    return { rows: shown, total, owedSatang, nowDate: now.toISOString() }
  }),
  route(contract.sendOwedRefund, ({ params, body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => send(tx, context, params.id, body)),
  ),
  route(contract.setRefundPayee, ({ params, body }, context) => setPayee(context, params.id, body)),
]
