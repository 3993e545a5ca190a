import { NO_PLAYER } from '../catalogue/catalogue.ts'
import { PAYMENT_METHOD } from '../catalogue/payment-method.ts'
import type { Letter } from '../letter.ts'
import { formatBaht } from '../money.ts'
import { REFUND_DAYS, reasonForBuyer } from '../order/refund.ts'
import { ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import { SHOP_NAME } from '../shop-name.ts'
import { keysOf } from '../table.ts'
import { formatClock, formatShort } from '../time.ts'
import { type Action, type CardTone, card, type Fact, type LineMessage, link } from './flex.ts'
import type { ChatLinks } from './links.ts'
import { ageOf, baht, goodsFor, goodsOf, type ToldOrder } from './order-messages.ts'
import { statusButton } from './words.ts'

/** What the buyer of an order is told of it. */

const orderPath = (orderNo: string): string => `/purchase/details/${orderNo}`

/** What the buyer typed, named as the game names it. */
const factsForCustomer = (order: ToldOrder): Fact[] => [
  ...order.fields.map(({ label, value }) => ({ label, value })),
  ...(order.playerName ? [{ label: 'ชื่อผู้เล่น', value: order.playerName }] : []),
  { label: 'ยอดชำระ', value: baht(order.amountSatang) },
  { label: 'เลขที่', value: order.orderNo },
]

interface Ending {
  tone: CardTone
  title: string
  note: string
  /** What its buyer does next, beside looking at the order. */
  next: 'again' | 'correct' | 'payee' | 'codes' | 'spend' | null
}

/** How each end of an order is told to its customer. */
const ENDINGS = {
  success: {
    tone: 'ok',
    title: 'เติมสำเร็จแล้ว',
    note: 'เปิดเกมเพื่อตรวจยอดได้เลย หากไม่พบ กรุณาปิดแล้วเปิดเกมใหม่',
    next: 'again',
  },
  failed: {
    tone: 'bad',
    title: 'เติมไม่สำเร็จ',
    note: 'เงินยังอยู่กับร้าน ไม่ต้องโอนซ้ำ ถ้ากรอกข้อมูลผู้เล่นผิด แก้แล้วร้านเติมให้ใหม่ หรือขอเงินคืนได้ที่คำสั่งซื้อ',
    next: 'correct',
  },
  refunding: {
    tone: 'warn',
    title: 'รอโอนคืน',
    note: `ร้านยกเลิกรายการนี้ แจ้งบัญชีรับเงินได้ที่คำสั่งซื้อ ร้านจะโอนคืนภายใน ${REFUND_DAYS} วันหลังได้รับบัญชี`,
    next: 'payee',
  },
  refunded: { tone: 'ok', title: 'คืนเงินแล้ว', note: 'ร้านโอนเงินของรายการนี้คืนแล้ว ดูบัญชีและสลิปได้ที่คำสั่งซื้อ', next: null },
} as const satisfies Partial<Record<OrderStatus, Ending>>

/** The end of an order that brings codes: a message leads to them and never holds one. */
const CODES_READY: Ending = {
  tone: 'ok',
  title: 'รหัสพร้อมแล้ว',
  note: 'กด “ดูรหัส” เพื่อเปิดหน้าคำสั่งซื้อ อย่าส่งรหัสให้ใคร ร้านไม่ขอรหัสทางแชท',
  next: 'codes',
}

/** A failure of an order that is for no player, so that nothing of it can be corrected. */
const CODES_FAILED: Ending = {
  tone: 'bad',
  title: 'ส่งรหัสไม่สำเร็จ',
  note: 'เงินยังอยู่กับร้าน ไม่ต้องโอนซ้ำ ทีมงานจะลองใหม่ให้ หรือขอเงินคืนได้ที่คำสั่งซื้อ',
  next: 'correct',
}

/** Says what the money became: who looks for shop credit at their bank finds nothing. */
function refundedOf({ creditBackSatang, amountSatang, payment }: ToldOrder): Ending {
  const credit = `฿${formatBaht(creditBackSatang)} เป็นเครดิตร้าน`
  if (creditBackSatang > 0)
    return {
      tone: 'ok',
      title: credit,
      note:
        creditBackSatang >= amountSatang
          ? 'ไม่ได้โอนเข้าบัญชีธนาคาร ใช้ซื้อได้ทุกเกม ไม่มีวันหมดอายุ'
          : 'ส่วนนี้ใช้ซื้อได้ทุกเกม ไม่มีวันหมดอายุ ส่วนที่เหลือร้านโอนคืนแล้ว',
      next: 'spend',
    }
  if (PAYMENT_METHOD[payment].kind !== 'wallet') return ENDINGS.refunded
  return { ...ENDINGS.refunded, note: 'คืนเข้ากระเป๋าเงินแล้ว ใช้ซื้อครั้งต่อไปได้เลย' }
}

function endingOf(order: ToldOrder): Ending {
  if (order.status === 'refunded') return refundedOf(order)
  if (order.status === 'failed' && order.playerId === NO_PLAYER) return CODES_FAILED
  const isOfCodes = order.status === 'success' && order.delivers === 'code'
  return isOfCodes ? CODES_READY : ENDINGS[order.status as keyof typeof ENDINGS]
}

/** The statuses that customers are told of by a message. */
export const ENDING_STATUSES = keysOf(ENDINGS)

/** For the customer whose order had run out of time when its money was found. */
export function orderRevived({ order }: { order: ToldOrder }, links: ChatLinks): LineMessage {
  return card({
    tone: 'ok',
    title: 'ได้รับเงินแล้ว',
    under: formatShort(order.statusAt),
    goods: goodsFor(order, links),
    facts: factsForCustomer(order),
    note: 'ร้านพบเงินของคำสั่งซื้อที่หมดเวลาแล้ว กำลังดำเนินการให้ ไม่ต้องจ่ายหรือสั่งซ้ำ',
    actions: [link('ดูคำสั่งซื้อ', links.shop(orderPath(order.orderNo)))],
    alt: `ได้รับเงินแล้ว ${order.gameName} ${goodsOf(order)}`,
  })
}

const factsOfEnd = (order: ToldOrder): Fact[] => {
  const isDelivered = order.status === 'success' && order.delivers !== 'code' && order.deliveryReference !== null
  const reason = ORDER_STATUS[order.status].tellsReason ? order.reason : null
  return [
    ...(reason ? [{ label: 'เหตุผล', value: reasonForBuyer(reason) }] : []),
    ...(order.playerChange ? [{ label: 'ผู้เล่น', value: order.playerChange }] : []),
    ...(order.reduction ? [{ label: 'ส่งไม่ครบ', value: order.reduction }] : []),
    ...factsForCustomer(order),
    ...(isDelivered ? [{ label: 'เลขอ้างอิง', value: order.deliveryReference! }] : []),
  ]
}

/** For the customer, at each end of the order: what became of it. */
export function orderEnded({ order }: { order: ToldOrder }, links: ChatLinks): LineMessage {
  const { tone, title, note, next } = endingOf(order)
  const look = links.shop(orderPath(order.orderNo))
  const buy = links.shop(`/game/${encodeURIComponent(order.gameCode)}`)
  const actions: Record<NonNullable<Ending['next']>, Action[]> = {
    again: [link('ดูคำสั่งซื้อ', look), link('เติมอีกครั้ง', buy)],
    correct: [link(order.playerId === NO_PLAYER ? 'ขอเงินคืน' : 'แก้ ID หรือขอเงินคืน', look)],
    payee: [link('แจ้งบัญชีรับเงิน', look)],
    codes: [link('ดูรหัส', look)],
    spend: [link('ดูคำสั่งซื้อ', look), link('ใช้เลย', buy)],
  }
  return card({
    tone,
    title,
    under: formatShort(order.statusAt),
    goods: goodsFor(order, links),
    facts: factsOfEnd(order),
    note,
    actions: next ? actions[next] : [link('ดูคำสั่งซื้อ', look)],
    alt: `${title} ${order.gameName} ${goodsOf(order)}`,
  })
}

const GUEST_FOOT = `อีเมลนี้ส่งถึงที่อยู่ซึ่งผู้ซื้อให้ไว้กับคำสั่งซื้อที่ร้าน ${SHOP_NAME} โดยอัตโนมัติ กรุณาอย่าตอบกลับ ร้านไม่ขอรหัสผ่านหรือ PIN ทางอีเมล`

/** The same as a mail, for a guest who gave an address. @param url the page behind the tracking link */
export function endedLetter(order: ToldOrder, url: string): Letter {
  const { title, note } = endingOf(order)
  const opening = `${order.gameName} · ${goodsOf(order)}`
  return { title, opening, facts: factsOfEnd(order), advice: note, action: { label: 'ดูคำสั่งซื้อ', url }, foot: GUEST_FOOT }
}

/** For a customer who asks: the current state of their orders. */
export function orderStatus(
  { orders, now }: { orders: readonly ToldOrder[]; now: Date },
  links: ChatLinks,
): LineMessage {
  const [latest, ...others] = orders
  if (!latest)
    return card({
      tone: 'accent',
      title: 'ยังไม่พบคำสั่งซื้อ',
      facts: [],
      alt: 'ยังไม่พบคำสั่งซื้อของบัญชี LINE นี้',
      note: 'บัญชี LINE นี้ยังไม่มีคำสั่งซื้อ หากซื้อโดยไม่ได้เข้าสู่ระบบ ให้เปิดลิงก์ติดตามที่ได้ตอนสั่งซื้อ',
      actions: [link('เปิดร้าน', links.shop('/game'))],
    })
  const { label, tone } = ORDER_STATUS[latest.status]
  const since = latest.paidAt ?? latest.createdAt
  const isOpen = !ORDER_STATUS[latest.status].isEnded
  return card({
    tone: tone === 'neutral' ? 'accent' : tone,
    title: label,
    under: `สถานะเมื่อ ${formatClock(now)}`,
    goods: goodsFor(latest, links),
    facts: [
      ...(isOpen && latest.paidAt ? [{ label: 'รอมาแล้ว', value: ageOf(since, now) }] : []),
      ...factsForCustomer(latest),
      ...others.map(order => ({
        label: ORDER_STATUS[order.status].label,
        value: `${order.gameName} ${goodsOf(order)} (${order.orderNo})`,
      })),
    ],
    actions: [
      link('ดูคำสั่งซื้อ', links.shop(orderPath(latest.orderNo))),
      ...(isOpen ? [statusButton()] : [link('ซื้ออีกครั้ง', links.shop('/game'))]),
    ],
    alt: `${label} ${latest.gameName} ${goodsOf(latest)}`,
  })
}
