import { AppError, invariant } from '@shop/shared/errors.ts'
import { sendRefund } from '@shop/shared/order/order.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { audit } from '../audit/store.ts'
import { receivingAccountExists } from '../catalogue/store.ts'
import type { Sql } from '../database/database.ts'
import { isOwner, may } from '../http/caller.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, personOf, type Route, route } from '../http/route.ts'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { moveValue } from '../value/moving.ts'
import { postLedger } from '../wallet/store.ts'
import {
  findOwedRefund,
  findOwedRefunds,
  findOwedSum,
  lockOwedRefund,
  type OwedRefundRow,
  saveSent,
} from './refund-store.ts'

function view({ createdAt, sentAt, sentByName, sentFromId, reference, ...row }: OwedRefundRow): contract.OwedRefund {
  const at = sentAt?.toISOString()
  const sent = at ? { at, byName: sentByName, receivingAccountId: sentFromId!, reference: reference! } : null
  return { ...row, createdAt: createdAt.toISOString(), sent }
}

/** Whoever sends the money asks its owner for an account; a bookkeeper needs only the name. */
const withoutContact = (row: OwedRefundRow): OwedRefundRow => ({
  ...row,
  person: { ...row.person, email: null, phone: null },
})

interface Sending {
  receivingAccountId: number
  reference: string
}

/** The order whose money it was is refunded now, as its buyer is told. */
async function endRefund(tx: Sql, context: Context, orderId: string) {
  const locked = await lockOrder(tx, { id: orderId })
  invariant(locked, 'an owed refund names its order')
  await saveOutcome(tx, sendRefund(locked.order, personOf(context), context.now))
}

/** Records that an owed refund was sent, once: in the books the money leaves the account. */
async function send(tx: Sql, context: Context, id: string, { receivingAccountId, reference }: Sending) {
  const owed = await lockOwedRefund(tx, id)
  if (!owed) throw new AppError('NOT_FOUND')
  const person = personOf(context)
  const { uid, now } = person
  if (owed.buyerUid === uid || (owed.buyerKey && isOwner(context, owed.buyerKey))) throw new AppError('OWN_ORDER')
  if (!owed.isOpen) throw new AppError('CONFLICT')
  if (!(await receivingAccountExists(tx, receivingAccountId))) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  const { buyerUid, buyerKey, amountSatang } = owed
  const owners = [...(buyerUid ? [`u:${buyerUid}`] : []), ...(buyerKey ? [buyerKey] : [])]
  const move = { amountSatang, subject: `owedRefund:${id}`, note: `อ้างอิง ${reference}`, owners } as const
  await moveValue(tx, person, { kind: 'refundSent', ...move })
  await saveSent(tx, id, { at: now, by: uid, receivingAccountId, reference })
  const postings = [{ from: 'refunds', to: `bank:${receivingAccountId}`, amountSatang: owed.amountSatang } as const]
  const transaction = { kind: 'refund_sent', reason: reference, reversesId: null, postings } as const
  await postLedger(tx, { ...transaction, id: uuidv7(), subjectId: id })
  if (owed.refundedOrderId) await endRefund(tx, context, owed.refundedOrderId)
  const after = { amountSatang: owed.amountSatang, receivingAccountId, reference }
  await audit(tx, person, { action: 'refund.send', subject: `owedRefund:${id}`, before: null, after })
  const row = await findOwedRefund(tx, id)
  invariant(row, 'what was locked is there')
  return view(row)
}

export const refundRoutes: Route[] = [
  route(contract.listOwedRefunds, async ({ query }, context) => {
    const { shop, now } = context
    const [{ rows, total }, owedSatang] = await Promise.all([findOwedRefunds(shop.db, query), findOwedSum(shop.db)])
    const shown = may(context, 'order.refund') ? rows : rows.map(withoutContact)
    return { rows: shown.map(view), total, owedSatang, nowDate: now.toISOString() }
  }),
  route(contract.sendOwedRefund, ({ params, body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => send(tx, context, params.id, body)),
  ),
]
