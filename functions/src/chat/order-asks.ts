import type { MessageFacts, MessageKind } from '@shop/shared/chat/message.ts'
import { completeWords } from '@shop/shared/chat/words.ts'
import { AppError } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { updateStatus } from '../order/handlers.ts'
import { findClaimerName } from '../order/store.ts'
import type { Shop } from '../shop.ts'
import { findToldOrder, type OrderFacts } from './order-facts.ts'
import type { Presser } from './presser.ts'

/** The shop's answer to an event. */
export type Answer = { [K in MessageKind]: { kind: K; facts: MessageFacts[K] } }[MessageKind]

const refused = (orderNo: string, why: string): Answer => ({ kind: 'refused', facts: { orderNo, why } })

/** Explains to somebody why an order's state does not allow their action. */
async function whyNot({ db }: Shop, order: OrderFacts): Promise<string> {
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

export async function claim(shop: Shop, presser: Presser, orderNo: string): Promise<Answer> {
  const given = await give(shop, presser, { orderNo, status: 'processing' }, ({ status }) => status === 'processing')
  return 'refusal' in given ? given.refusal : { kind: 'claimed', facts: { order: given.order, name: presser.name } }
}

export async function complete(
  shop: Shop,
  presser: Presser,
  orderNo: string,
  reference: string | null,
): Promise<Answer> {
  if (reference === null) return wantReference(shop, presser, orderNo)
  const change: Change = { orderNo, status: 'success', deliveryReference: reference }
  const given = await give(shop, presser, change, ({ status }) => status === 'success')
  return 'refusal' in given ? given.refusal : { kind: 'completed', facts: { order: given.order, name: presser.name } }
}

/** Asks for the delivery's reference, which a button can't express. */
async function wantReference(shop: Shop, { uid }: Presser, orderNo: string): Promise<Answer> {
  const order = await findToldOrder(shop.db, { orderNo })
  if (!order) return refused(orderNo, new AppError('ORDER_NOT_FOUND').message)
  if (order.status === 'processing' && order.claimedBy === uid)
    return { kind: 'referenceWanted', facts: { orderNo, example: completeWords(orderNo) } }
  const why = order.status === 'paid' ? 'ยังไม่มีคนรับเรื่อง กรุณากดรับเรื่องก่อน' : await whyNot(shop, order)
  return refused(orderNo, why)
}
