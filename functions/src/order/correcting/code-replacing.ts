import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { showsCodes } from '@shop/shared/order/codes.ts'
import { amountOf } from '@shop/shared/order/order.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { replaceVoucher } from '@shop/shared/voucher/endpoints.ts'
import { takesEvidence } from '@shop/shared/voucher/voucher.ts'
import { isOwner } from '../../account/caller.ts'
import { audit } from '../../audit/store.ts'
import { type Context, type Person, personOf, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { tell } from '../../outbox/outbox.ts'
import { mustKnowStock } from '../../outbox/safe-mode.ts'
import { useEvidence } from '../../upload/store.ts'
import { moveValue } from '../../value/moving.ts'
import { countComplaints, sellInstead, withdrawSold } from '../../voucher/replace-store.ts'
import { refreshOut } from '../../voucher/store.ts'
import { costMore } from '../delivering/code-cost.ts'
import { lockOrder } from '../store.ts'

type Replacement = ParsedInput<typeof replaceVoucher>['body']
type Locked = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

/**
 * Takes the bad code back, and tells for the second person what is known of it. @throws VOUCHER_NOT_REPLACEABLE,
 * VOUCHER_NEEDS_EVIDENCE, SLIP_NOT_FOUND, SLIP_REUSED, EVIDENCE_REUSED
 */
async function takeBack(tx: Sql, by: Person, { order }: Locked, body: Replacement) {
  const { id, reason, evidenceSlipId = null, complaint = null } = body
  const shown = { evidenceSlipId, complaint }
  const bad = showsCodes(order.status)
    ? await withdrawSold(tx, { id, orderId: order.id }, { ...by, reason, ...shown })
    : null
  if (!bad) throw new AppError('VOUCHER_NOT_REPLACEABLE')
  const isWeighty = takesEvidence(bad)
  if (isWeighty && !evidenceSlipId && !complaint) throw new AppError('VOUCHER_NEEDS_EVIDENCE')
  if (evidenceSlipId) await useEvidence(tx, { slipId: evidenceSlipId, uploaderKey: `u:${by.uid}`, usedFor: id })
  const others = complaint ? await countComplaints(tx, { complaint, id }) : 0
  const facts = [
    bad.isSeen && 'มีคนดูรหัสแล้ว',
    bad.isReplacement && 'เคยเปลี่ยนมาแล้ว',
    others > 0 && `เลขที่เรื่องนี้ใช้กับรหัสอื่นแล้ว ${others} รหัส`,
  ].filter(Boolean)
  const note = [`${body.orderNo} รหัสลงท้าย ${bad.lastFour}`, ...facts, reason].join(' · ')
  return { lastFour: bad.lastFour, isWeighty, note, evidence: { slipId: evidenceSlipId, reference: complaint } }
}

/**
 * Takes a bad code back and hands out another. Goods leave and nobody pays for them, so it counts as a move of value; the
 * order's lock lets one code be replaced only once, and the buyer look at it only before or after.
 */
async function replace(context: Context, body: Replacement) {
  const { shop, now } = context
  const { orderNo, id, reason, complaint } = body
  const by = personOf(context)
  const day = bangkokDay(now)
  const done = await shop.db.transaction(async tx => {
    await mustKnowStock(tx)
    const locked = await lockOrder(tx, { orderNo })
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { order, buyerKey } = locked
    if (isOwner(context, buyerKey)) throw new AppError('OWN_ORDER')
    const bad = await takeBack(tx, by, locked, body)
    const after = await sellInstead(tx, { orderId: order.id, packageId: order.packageId, replacesId: id, day, now })
    if (!after) throw new AppError('VOUCHER_NONE_LEFT')
    const paidSatang = Math.ceil(amountOf(order) / order.quantity)
    await moveValue(tx, by, {
      kind: bad.isWeighty ? 'codeReplacedAgain' : 'codeReplaced',
      amountSatang: Math.max(paidSatang, after.costSatang ?? 0),
      subject: `order:${orderNo}`,
      note: bad.note,
      evidence: bad.evidence,
      owners: [buyerKey],
    })
    await costMore(tx, order, after.costSatang)
    await audit(tx, by, {
      action: 'voucher.replace',
      subject: `order:${orderNo}`,
      before: { lastFour: bad.lastFour },
      after: { lastFour: after.lastFour, reason, ...(complaint && { reference: complaint }) },
    })
    if (order.buyerUid) await tell(tx, { event: 'orderEnded', id: order.id, turn: `code:${id}`, now })
    return { lastFour: after.lastFour, packageId: order.packageId }
  })
  await refreshOut(shop.db, done.packageId, day)
  return { orderNo, lastFour: done.lastFour }
}

export const codeReplacingRoutes: Route[] = [route(replaceVoucher, ({ body }, context) => replace(context, body))]
