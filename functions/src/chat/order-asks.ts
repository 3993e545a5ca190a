import type { MessageFacts, MessageKind } from '@shop/shared/chat/message.ts'
import type { ChatAsk } from '@shop/shared/chat/words.ts'
import { AppError } from '@shop/shared/errors.ts'
import { MOST_REFERENCE, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { correctReference } from '../order/correcting/reference.ts'
import { updateStatus } from '../order/delivering/status-handlers.ts'
import { findClaimerName } from '../order/store.ts'
import type { Shop } from '../shop/shop.ts'
import { findToldOrder, type OrderFacts } from './order-facts.ts'
import type { Presser } from './presser.ts'
import { findWhyUntold } from './store.ts'

/** The shop's answer to an event. */
export type Answer = { [K in MessageKind]: { kind: K; facts: MessageFacts[K] } }[MessageKind]

const refused = (orderNo: string, why: string): Answer => ({ kind: 'refused', facts: { orderNo, why } })

/** Explains to somebody why an order's state does not allow their action. */
async function whyNot({ db }: Pick<Shop, 'db'>, order: OrderFacts): Promise<string> {
  if (order.status === 'processing') {
    const name = (await findClaimerName(db, order.orderNo)) ?? 'ระบบ'
    return new AppError('ORDER_CLAIMED_BY_OTHER', { values: { name } }).message
  }
  return `ทำไม่ได้ สถานะตอนนี้คือ ${ORDER_STATUS[order.status].label}`
}

type Change = Parameters<typeof updateStatus>[1]

/**
 * Runs the queue's own command. An event may be processed twice and a button pressed twice, so a command that the
 * presser has already carried out is answered as done.
 */
async function give(
  shop: Shop,
  { uid, context }: Presser,
  change: Change,
  isDone: (order: OrderFacts) => boolean,
): Promise<{ order: OrderFacts } | { refusal: Answer }> {
  const { orderNo } = change
  const checked = updateOrderStatus.body.safeParse(change)
  if (!checked.success) return { refusal: refused(orderNo, new AppError('INVALID_INPUT').message) }
  const failure = await updateStatus(context, checked.data).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AppError && error.status < 500) return error
      throw error
    },
  )
  const order = await findToldOrder(shop.db, { orderNo })
  if (!order) return { refusal: refused(orderNo, new AppError('ORDER_NOT_FOUND').message) }
  if (!failure || (order.claimedBy === uid && isDone(order))) return { order }
  const why = failure.code === 'ORDER_STATUS_NOT_ALLOWED' ? await whyNot(shop, order) : failure.message
  return { refusal: refused(orderNo, why) }
}

/** The reply to a button of a card whose player is another by now; null for a card that still holds. */
function cardOldOf({ now }: Pick<Shop, 'now'>, order: OrderFacts | null, redone: number | null): Answer | null {
  if (!order || redone === null || redone === order.redone) return null
  return { kind: 'cardOld', facts: { order, isHeld: order.isHeld, now: now() } }
}

type ClaimAsk = Extract<ChatAsk, { ask: 'claim' }>
type CompleteAsk = Extract<ChatAsk, { ask: 'complete' }>

export async function claim(shop: Shop, presser: Presser, { orderNo, redone }: ClaimAsk): Promise<Answer> {
  const old = cardOldOf(shop, await findToldOrder(shop.db, { orderNo }), redone)
  if (old) return old
  const given = await give(shop, presser, { orderNo, status: 'processing' }, ({ status }) => status === 'processing')
  return 'refusal' in given ? given.refusal : { kind: 'claimed', facts: { order: given.order, name: presser.name } }
}

export async function complete(
  shop: Shop,
  presser: Presser,
  { orderNo, reference, redone }: CompleteAsk,
  at: Date,
): Promise<Answer> {
  const order = await findToldOrder(shop.db, { orderNo })
  const old = cardOldOf(shop, order, redone)
  if (old) return old
  if (order?.status === 'success') return afterSuccess(shop, presser, { order, reference, at })
  if (reference === null) return wantReference(shop, presser, orderNo, order)
  if (reference.length > MOST_REFERENCE)
    return refused(orderNo, `เลขอ้างอิงยาวเกินไป ใช้ได้ไม่เกิน ${MOST_REFERENCE} ตัวอักษร กรุณาพิมพ์ใหม่`)
  const change: Change = { orderNo, status: 'success', deliveryReference: reference }
  const given = await give(shop, presser, change, ({ status }) => status === 'success')
  if ('refusal' in given) return given.refusal
  const untold = await findWhyUntold(shop.db, given.order.buyerLineId)
  return { kind: 'completed', facts: { order: given.order, name: presser.name, untold } }
}

/** The reply about an order that is done: its reference, or that the person who typed it has now corrected it. */
async function afterSuccess(
  shop: Shop,
  { uid, context }: Presser,
  { order, reference, at }: { order: OrderFacts; reference: string | null; at: Date },
): Promise<Answer> {
  const { orderNo, deliveryReference: before } = order
  const isOwn = order.claimedBy === uid && before !== null
  if (isOwn && reference !== null && reference !== before && reference.length <= MOST_REFERENCE) {
    const corrected = await correctReference(context, { orderNo, reference, typedAt: at })
    if (corrected)
      return { kind: 'referenceCorrected', facts: { order: { ...order, deliveryReference: reference }, before } }
  }
  const name = (await findClaimerName(shop.db, orderNo)) ?? 'ระบบ'
  return { kind: 'alreadyCompleted', facts: { order, name } }
}

/** Asks for the delivery's reference, which a button can't express. */
async function wantReference(shop: Shop, { uid }: Presser, orderNo: string, order: OrderFacts | null): Promise<Answer> {
  if (!order) return refused(orderNo, new AppError('ORDER_NOT_FOUND').message)
  if (order.status === 'processing' && order.claimedBy === uid) return { kind: 'referenceWanted', facts: { order } }
  const why = order.status === 'paid' ? 'ยังไม่มีคนรับเรื่อง กรุณากดรับเรื่องก่อน' : await whyNot(shop, order)
  return refused(orderNo, why)
}
