import { formatBaht } from '../money.ts'
import { REFUND_DAYS } from '../order/refund.ts'
import { ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import { bangkokDay, formatClock, formatShort } from '../time.ts'
import { type Action, card, type Fact, type LineMessage, link, words } from './flex.ts'
import type { ChatLinks } from './links.ts'
import { claimButton, completeButton, statusButton } from './words.ts'

/** An order with the facts that messages show. */
export interface ToldOrder {
  orderNo: string
  status: OrderStatus
  queueNo: number | null
  gameName: string
  packageName: string
  quantity: number
  playerId: string
  playerName: string | null
  /** What the player typed beside the id. */
  fields: readonly { label: string; value: string }[]
  amountSatang: number
  createdAt: Date
  paidAt: Date | null
  /** Why it failed or was refunded, if customers may know. */
  reason: string | null
  /** What its buyer is told when the shop used another player than theirs. */
  playerChange: string | null
}

const MINUTE_MS = 60_000

/** Returns an age: "เมื่อสักครู่", "3 นาที", "2 ชม. 5 นาที", or the day. */
export function ageOf(since: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / MINUTE_MS)
  if (minutes < 1) return 'เมื่อสักครู่'
  if (minutes < 60) return `${minutes} นาที`
  if (bangkokDay(since) !== bangkokDay(now)) return `ตั้งแต่ ${formatShort(since)}`
  return `${Math.floor(minutes / 60)} ชม. ${minutes % 60} นาที`
}

const baht = (satang: number): string => `${formatBaht(satang)} บาท`

const goodsOf = ({ packageName, quantity }: ToldOrder): string =>
  quantity === 1 ? packageName : `${packageName} × ${quantity}`

const queueOf = ({ queueNo }: ToldOrder): string => (queueNo === null ? 'คิวใหม่' : `คิว ${queueNo}`)

function factsForStaff(order: ToldOrder): Fact[] {
  const typed = order.fields.filter(({ value }) => value !== order.playerId)
  return [
    { label: 'Player ID', value: order.playerId, isMain: true },
    ...(order.playerName ? [{ label: 'ชื่อผู้เล่น', value: order.playerName }] : []),
    ...typed,
    { label: 'แพ็กเกจ', value: goodsOf(order) },
    { label: 'ยอด', value: baht(order.amountSatang) },
    { label: 'เลขที่', value: order.orderNo },
  ]
}

const openInQueue = ({ orderNo }: ToldOrder, links: ChatLinks): Action =>
  link('เปิดในหลังร้าน', links.admin(`/management/details/${orderNo}`))

export interface StaffOrder {
  order: ToldOrder
  /** Whether the supplier waits for proof of its payment. */
  isHeld: boolean
  now: Date
}

function staffCard({ order, isHeld, now }: StaffOrder, links: ChatLinks, isUnclaimed: boolean): LineMessage {
  const since = order.paidAt ?? order.createdAt
  const age = ageOf(since, now)
  const wait = bangkokDay(since) === bangkokDay(now) ? `${age} (รับเงิน ${formatClock(since)})` : age
  return card({
    tone: isUnclaimed ? 'warn' : 'accent',
    over: isUnclaimed ? `ยังไม่มีคนรับ ${age}` : `${queueOf(order)} · รอเติม`,
    title: order.gameName,
    facts: [...factsForStaff(order), { label: 'รอมาแล้ว', value: wait }],
    ...(isHeld && { note: 'รอหลักฐานเงินเข้า: ผู้จำหน่ายยังไม่ส่งของเอง ตรวจเงินก่อนเติม' }),
    actions: [claimButton(order.orderNo), completeButton(order.orderNo), openInQueue(order, links)],
    alt: `${isUnclaimed ? `ยังไม่มีคนรับ ${age}` : queueOf(order)} ${order.gameName} ${goodsOf(order)} ${order.playerId} ${baht(order.amountSatang)}`,
  })
}

/** For the staff's group: an order waits to be delivered. */
export const orderPaid = (told: StaffOrder, links: ChatLinks): LineMessage => staffCard(told, links, false)

/** For managers, once: nobody has taken the order. */
export const orderUnclaimed = (told: StaffOrder, links: ChatLinks): LineMessage => staffCard(told, links, true)

const orderPath = (orderNo: string): string => `/purchase/details/${orderNo}`

const factsForCustomer = (order: ToldOrder): Fact[] => [
  { label: 'แพ็กเกจ', value: goodsOf(order) },
  { label: 'Player ID', value: order.playerName ? `${order.playerId} (${order.playerName})` : order.playerId },
  { label: 'ยอด', value: baht(order.amountSatang) },
  { label: 'เลขที่', value: order.orderNo },
]

const ENDINGS = {
  success: { tone: 'ok', over: 'เติมสำเร็จ', note: 'ตรวจสอบในเกมได้เลย ขอบคุณที่ใช้บริการ' },
  failed: { tone: 'bad', over: 'เติมไม่สำเร็จ', note: 'เงินยังอยู่กับร้าน ทีมงานจะติดต่อเรื่องคืนเงิน ไม่ต้องโอนซ้ำ' },
  refunding: {
    tone: 'warn',
    over: 'รอโอนคืน',
    note: `ร้านยกเลิกรายการนี้ และจะโอนเงินคืนให้ภายใน ${REFUND_DAYS} วัน ดูรายละเอียดได้ที่คำสั่งซื้อ`,
  },
  refunded: { tone: 'ok', over: 'คืนเงินแล้ว', note: 'ร้านคืนเงินของรายการนี้แล้ว ดูรายละเอียดได้ที่คำสั่งซื้อ' },
} as const satisfies Partial<Record<OrderStatus, { tone: 'ok' | 'bad' | 'warn'; over: string; note: string }>>

/** The statuses that customers are told of by a message. */
export const ENDING_STATUSES = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]

/** For the customer, once: how the order ended. */
export function orderEnded({ order }: { order: ToldOrder }, links: ChatLinks): LineMessage {
  const ending = ENDINGS[order.status as keyof typeof ENDINGS]
  const change = order.playerChange ? [{ label: 'ผู้เล่น', value: order.playerChange }] : []
  const reason = order.reason && ORDER_STATUS[order.status].tellsReason ? [{ label: 'เหตุผล', value: order.reason }] : []
  return card({
    tone: ending.tone,
    over: ending.over,
    title: order.gameName,
    facts: [...reason, ...change, ...factsForCustomer(order)],
    note: ending.note,
    actions: [link('ดูคำสั่งซื้อ', links.shop(orderPath(order.orderNo)))],
    alt: `${ending.over} ${order.gameName} ${goodsOf(order)}`,
  })
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
    over: latest.gameName,
    title: label,
    facts: [
      ...(isOpen && latest.paidAt ? [{ label: 'รอมาแล้ว', value: ageOf(since, now) }] : []),
      ...factsForCustomer(latest),
      ...others.map(order => ({
        label: ORDER_STATUS[order.status].label,
        value: `${order.gameName} ${goodsOf(order)} (${order.orderNo})`,
      })),
    ],
    note: `สถานะเมื่อ ${formatClock(now)}`,
    actions: [
      link('ดูคำสั่งซื้อ', links.shop(orderPath(latest.orderNo))),
      ...(isOpen ? [statusButton()] : [link('ซื้ออีกครั้ง', links.shop('/game'))]),
    ],
    alt: `${label} ${latest.gameName} ${goodsOf(latest)}`,
  })
}

/** The reply to somebody who claims: the order is theirs, with the next step. */
export function claimed({ order, name }: { order: ToldOrder; name: string }, links: ChatLinks): LineMessage {
  return card({
    tone: 'ok',
    over: `${name} รับเรื่องแล้ว`,
    title: `${queueOf(order)} · ${order.gameName}`,
    facts: [
      { label: 'Player ID', value: order.playerId, isMain: true },
      { label: 'แพ็กเกจ', value: goodsOf(order) },
      { label: 'เลขที่', value: order.orderNo },
    ],
    actions: [completeButton(order.orderNo), openInQueue(order, links)],
    alt: `${name} รับเรื่อง ${order.orderNo} แล้ว`,
  })
}

/** The reply to somebody who completes an order. */
export const completed = ({ order, name }: { order: ToldOrder; name: string }): LineMessage =>
  words(`${name} เติม ${order.orderNo} ${order.gameName} เสร็จแล้ว แจ้งลูกค้าให้แล้ว`)

/** The reply to somebody who pressed "done": they must still type the reference. */
export const referenceWanted = ({ orderNo, example }: { orderNo: string; example: string }): LineMessage =>
  words(`พิมพ์เลขอ้างอิงการเติมต่อท้าย แล้วส่งในแชทนี้ เช่น\n${example}AB-1234\n(${orderNo})`)

/** The reply to somebody whom LINE does not identify, so that nothing is claimed for them. */
export const presserUnknown = ({ orderNo }: { orderNo: string }, links: ChatLinks): LineMessage =>
  card({
    tone: 'warn',
    title: 'LINE ไม่ได้บอกว่าใครกด',
    facts: [{ label: 'เลขที่', value: orderNo }],
    note: 'ยังไม่มีใครรับเรื่องจากการกดครั้งนี้ เปิดรายการในหลังร้านเพื่อทำต่อ',
    actions: [link('เปิดในหลังร้าน', links.admin(`/management/details/${orderNo}`))],
    alt: `LINE ไม่ได้บอกว่าใครกด ${orderNo}`,
  })

/** The reply to an impossible request; its text says why and what to do. */
export const refused = ({ orderNo, why }: { orderNo: string; why: string }): LineMessage => words(`${orderNo}: ${why}`)
