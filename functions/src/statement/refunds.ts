import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { endOfPayee, type Payee, payeeEndText } from '@shop/shared/order/payee.ts'
import { elsewhereText, fitOfRefund, PAYEE_FIT, type Payer, shownAccount } from '@shop/shared/order/payer.ts'
import { sendRefund } from '@shop/shared/order/refund.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { tellOwner } from '../access/news.ts'
import { isOwner, may, mustHaveKey } from '../account/caller.ts'
import { audit } from '../audit/store.ts'
import { type Context, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import { receivingAccountExists } from '../catalogue/store.ts'
import type { Queries, Sql } from '../database/database.ts'
import { runOnce } from '../http/idempotency.ts'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { openAccountHash } from '../transfer/account-hash.ts'
import { findPayers } from '../transfer/payer-store.ts'
import { isSlipFree } from '../transfer/store.ts'
import { useSlip } from '../upload/store.ts'
import { holdsOwner, moveValue } from '../value/moving.ts'
import { postLedger } from '../wallet/store.ts'
import { mustGiveReason, payeeSide } from './payee.ts'
import {
  findOrderOfRefund,
  findOwedRefund,
  findOwedRefunds,
  findOwedSum,
  isSentElsewhere,
  type LockedRefund,
  lockOwedRefund,
  type OwedRefundRow,
  saveAgreed,
  savePayee,
  saveSent,
} from './refund-store.ts'

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null

function viewRefund(
  { createdAt, sentAt, sentByName, sentFromId, sentSlipId, reference, ...told }: OwedRefundRow,
  payers: readonly (Payer | null)[],
) {
  const { agreedVersion, agreedByName, agreedAs, ...row } = told
  const isAgreed = agreedAs !== null && agreedVersion === row.payeeVersion
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
    payer: payers[0] ?? null,
    payeeFit: row.payee && fitOfRefund(row.payee, { isFromCredit: row.fromCredit, payers }),
    payeeAgreed: isAgreed ? { byName: agreedByName, as: agreedAs } : null,
    sent: sentAt && sent,
  }
}

/** Whoever sends the money needs its owner's account, or a way to ask for it; a bookkeeper needs only the name. */
const forBooks = (refund: contract.OwedRefund): contract.OwedRefund => ({
  ...refund,
  person: { ...refund.person, email: null, phone: null },
  payee: null,
  payer: refund.payer && { ...refund.payer, account: refund.payer.account && shownAccount(refund.payer.account) },
})

async function viewRefunds(db: Queries, rows: readonly OwedRefundRow[]) {
  const payers = await findPayers(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(row => viewRefund(row, payers.get(row.id)!))
}

export async function mustFindRefund(tx: Sql, id: string) {
  const row = await findOwedRefund(tx, id)
  invariant(row, 'what was locked is there')
  return (await viewRefunds(tx, [row]))[0]!
}

const ownersOf = ({ ownerUid, ownerKey }: Pick<LockedRefund, 'ownerUid' | 'ownerKey'>): string[] => [
  ...(ownerUid ? [`u:${ownerUid}`] : []),
  ...(ownerKey ? [ownerKey] : []),
]

/**
 * Locks what is owed, and before it the order it is about, for somebody who is not its owner and can't be.
 * @throws NOT_FOUND, OWN_ORDER, SET_OWNERS_SECRET, CONFLICT, PAYEE_CHANGED
 */
export async function lockOwed(tx: Sql, context: Context, id: string, payeeVersion: number) {
  const orderId = await findOrderOfRefund(tx, id)
  const order = orderId === null ? null : await lockOrder(tx, { id: orderId })
  const owed = await lockOwedRefund(tx, id)
  if (!owed) throw new AppError('NOT_FOUND')
  const { uid, now } = personOf(context)
  if (owed.ownerUid === uid || (owed.ownerKey && isOwner(context, owed.ownerKey))) throw new AppError('OWN_ORDER')
  // Whoever can sign in as the owner may have asked for it as them.
  if (await holdsOwner(tx, uid, ownersOf(owed), now)) throw new AppError('SET_OWNERS_SECRET')
  if (!owed.isOpen) throw new AppError('CONFLICT')
  if (owed.payeeVersion !== payeeVersion) throw new AppError('PAYEE_CHANGED')
  return { owed, order: order?.order ?? null }
}

/** Returns how the payee of an owed refund stands to who paid. @throws PAYEE_NEEDED */
async function weighPayee(tx: Sql, id: string, { payee, fromCredit }: LockedRefund) {
  if (!payee) throw new AppError('PAYEE_NEEDED')
  const payers = (await findPayers(tx, [id])).get(id)!
  return { payee, payer: payers[0] ?? null, fit: fitOfRefund(payee, { isFromCredit: fromCredit, payers }) }
}

/**
 * Lets a refund go to an account that did not pay, before anybody sends it: a second person agrees, or, where nobody told
 * the payer, somebody compares the account with the slip that the buyer handed in.
 */
async function agree(tx: Sql, context: Context, id: string, asked: { payeeVersion: number; isSlipCompared: boolean }) {
  const { owed } = await lockOwed(tx, context, id, asked.payeeVersion)
  const person = personOf(context)
  const { payee, payer, fit } = await weighPayee(tx, id, owed)
  if (!PAYEE_FIT[fit].takesWord) throw new AppError('PAYEE_NEEDS_NO_WORD')
  if (asked.isSlipCompared && (fit !== 'unknown' || owed.paidSlipId === null)) throw new AppError('NO_SLIP_TO_COMPARE')
  const subject = `owedRefund:${id}` as const
  const note = elsewhereText(payee, payer, fit, owed.payeeReason)
  if (!asked.isSlipCompared) {
    const { amountSatang } = owed
    await moveValue(tx, person, { kind: 'refundElsewhere', amountSatang, subject, note, owners: ownersOf(owed) })
  }
  const agreedAs = asked.isSlipCompared ? 'slip' : person.secondBy ? 'second' : 'alone'
  const agreedBy = person.secondBy?.uid ?? person.uid
  await saveAgreed(tx, id, { agreedVersion: owed.payeeVersion, agreedBy, agreedAs })
  const after = { ...payeeSide(payee), ...(owed.payeeReason && { reason: owed.payeeReason }) }
  await audit(tx, person, { action: 'refund.agree', subject, before: null, after })
  return mustFindRefund(tx, id)
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
  const { payee, fit } = await weighPayee(tx, id, owed)
  if (PAYEE_FIT[fit].takesWord && owed.agreedVersion !== owed.payeeVersion) throw new AppError('PAYEE_NOT_AGREED')
  const { amountSatang } = owed
  const to = payeeEndText(endOfPayee(payee))
  const note = `อ้างอิง ${reference} โอนไป ${to}`
  const move = { amountSatang, subject: `owedRefund:${id}`, note, owners: ownersOf(owed) } as const
  await moveValue(tx, person, { kind: 'refundSent', ...move })
  if (slipId) await useRefundSlip(tx, slipId, { uploaderKey: mustHaveKey(context), usedFor: id })
  await saveSent(tx, id, { at: person.now, by: person.uid, receivingAccountId, reference, slipId })
  const postings = [{ from: 'refunds', to: `bank:${receivingAccountId}`, amountSatang } as const]
  const transaction = { kind: 'refund_sent', reason: reference, reversesId: null, postings } as const
  await postLedger(tx, { ...transaction, id: uuidv7(), subjectId: id })
  await endRefund(tx, person, owed, order, person.now)
  if (owed.fromCredit && owed.ownerUid) {
    const told = { byShop: true, facts: { amountSatang, payee: to }, at: person.now }
    await tellOwner(tx, { uid: owed.ownerUid, kind: 'withdrawalSent', ...told })
  }
  const after = { amountSatang, receivingAccountId, reference, ...payeeSide(payee) }
  await audit(tx, person, { action: 'refund.send', subject: `owedRefund:${id}`, before: null, after })
  return mustFindRefund(tx, id)
}

/** Writes down an account that the money's owner told staff. */
async function setPayee(
  context: Context,
  id: string,
  { payeeVersion, reason, ...payee }: Payee & { payeeVersion: number; reason?: string | undefined },
) {
  const { db, config } = context.shop
  return db.transaction(async tx => {
    const { owed } = await lockOwed(tx, context, id, payeeVersion)
    if (owed.fromCredit) throw new AppError('PAYEE_IS_OWNERS')
    const payers = (await findPayers(tx, [id])).get(id)!
    mustGiveReason(fitOfRefund(payee, { isFromCredit: false, payers }), reason)
    const named = { payee, payeeHash: openAccountHash(config)(payee), payeeReason: reason }
    await savePayee(tx, id, named, personOf(context))
    const sides = { before: owed.payee && payeeSide(owed.payee), after: payeeSide(payee) }
    await audit(tx, personOf(context), { action: 'refund.setPayee', subject: `owedRefund:${id}`, ...sides })
    return mustFindRefund(tx, id)
  })
}

export const refundRoutes: Route[] = [
  route(contract.listOwedRefunds, async ({ query }, context) => {
    const { shop, now } = context
    const [{ rows, total }, owedSatang] = await Promise.all([findOwedRefunds(shop.db, query), findOwedSum(shop.db)])
    const seen = await viewRefunds(shop.db, rows)
    const shown = may(context, 'order.refund') ? seen : seen.map(forBooks)
    return { rows: shown, total, owedSatang, nowDate: now.toISOString() }
  }),
  route(contract.sendOwedRefund, ({ params, body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => send(tx, context, params.id, body)),
  ),
  route(contract.agreeRefundPayee, ({ params, body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => agree(tx, context, params.id, body)),
  ),
  route(contract.setRefundPayee, ({ params, body }, context) => setPayee(context, params.id, body)),
]
