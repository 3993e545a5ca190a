import { bankOf } from '../catalogue/banks.ts'
import { NO_PLAYER } from '../catalogue/catalogue.ts'
import type { Delivers } from '../catalogue/delivers.ts'
import type { PaymentCode } from '../catalogue/payment-method.ts'
import { formatBaht } from '../money.ts'
import { goodsText } from '../order/goods-text.ts'
import { ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import { bangkokDay, formatClock, formatShort } from '../time.ts'
import {
  type Action,
  type CardTone,
  card,
  type Fact,
  type Goods,
  type LineMessage,
  link,
  type WorkCard,
  words,
  workCard,
} from './flex.ts'
import type { ChatLinks } from './links.ts'
import { claimButton, completeButton, completeWords } from './words.ts'

/** An order with the facts that messages show. */
export interface ToldOrder {
  orderNo: string
  status: OrderStatus
  /** Since when it has had its status. */
  statusAt: Date
  queueNo: number | null
  gameCode: string
  gameName: string
  packageName: string
  quantity: number
  /** What its package brings today. */
  delivers: Delivers
  playerId: string
  playerName: string | null
  /** What the player typed beside the id. */
  fields: readonly { label: string; value: string }[]
  amountSatang: number
  /** Of the shop's account that its money came to; null for orders from a wallet. */
  bankCode: string | null
  createdAt: Date
  paidAt: Date | null
  /** How often it was put back into the queue after it failed, each time for the player whom it names since. */
  redone: number
  deliveryReference: string | null
  /** How it was paid. */
  payment: PaymentCode
  /** What came back of it as shop credit. */
  creditBackSatang: number
  /** Why it failed or was refunded, if customers may know. */
  reason: string | null
  /** What its buyer is told when the shop used another player than theirs. */
  playerChange: string | null
  /** What its buyer is told when only some of its pieces came, and what went back. */
  reduction: string | null
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

export const baht = (satang: number): string => `${formatBaht(satang)} บาท`

export const goodsOf = ({ packageName, quantity }: ToldOrder): string => goodsText(packageName, quantity)

const queueOf = ({ queueNo }: ToldOrder): string => (queueNo === null ? 'คิวใหม่' : `คิว ${queueNo}`)

export const goodsFor = (order: ToldOrder, links: ChatLinks): Goods => ({
  name: goodsOf(order),
  game: order.gameName,
  picture: links.picture(order.gameCode),
})

/** What staff type into the game. */
function playerFacts(order: ToldOrder): Fact[] {
  const typed = order.fields.filter(({ value }) => value !== order.playerId)
  return [
    ...(order.playerId === NO_PLAYER ? [] : [{ label: 'Player ID', value: order.playerId, isMain: true }]),
    ...(order.playerName ? [{ label: 'ชื่อผู้เล่น', value: order.playerName }] : []),
    ...typed,
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

const HELD = 'รอหลักฐานเงินเข้า: ผู้จำหน่ายยังไม่ส่งของเอง ตรวจเงินก่อนเติม'
const REDONE = 'รายการนี้เติมใหม่หลังเติมไม่สำเร็จ ใช้ข้อมูลในการ์ดนี้ การ์ดก่อนหน้าใช้ไม่ได้แล้ว'

/** When the money came. */
function waitFacts({ paidAt, createdAt }: ToldOrder, now: Date): Fact[] {
  const since = paidAt ?? createdAt
  // The card stays in the chat, so it tells the moment: an age would be wrong a minute later.
  return [{ label: 'เวลาเข้า', value: bangkokDay(since) === bangkokDay(now) ? formatClock(since) : formatShort(since) }]
}

function staffCard(
  { order, isHeld, now }: StaffOrder,
  links: ChatLinks,
  look: { tone: CardTone; over: string },
): WorkCard {
  const notes = [...(order.redone > 0 ? [REDONE] : []), ...(isHeld ? [HELD] : [])]
  return {
    ...look,
    goods: goodsFor(order, links),
    facts: [
      ...playerFacts(order),
      {
        label: 'ยอดเข้า',
        value: order.bankCode
          ? `${baht(order.amountSatang)} ${bankOf(order.bankCode).niceName}`
          : baht(order.amountSatang),
      },
      ...waitFacts(order, now),
      { label: 'เลขที่', value: order.orderNo },
    ],
    ...(notes.length > 0 && { note: notes.join('\n') }),
    actions: [...(order.status === 'paid' ? [claimButton(order)] : []), openInQueue(order, links)],
    alt: `${look.over} ${order.gameName} ${goodsOf(order)} ${order.playerId} ${baht(order.amountSatang)}`,
  }
}

/** For the staff's group: an order waits to be delivered. */
export const orderPaid = (told: StaffOrder, links: ChatLinks): LineMessage =>
  workCard(
    staffCard(told, links, {
      tone: told.order.redone > 0 ? 'warn' : 'accent',
      over: `${told.order.redone > 0 ? 'เติมใหม่' : 'ชำระแล้ว'} · ${queueOf(told.order)}`,
    }),
  )

/** For managers, once each time that it waits: nobody has taken the order. */
export const orderUnclaimed = (told: StaffOrder, links: ChatLinks): WorkCard =>
  staffCard(told, links, {
    tone: 'warn',
    over: `ยังไม่มีคนรับ ${ageOf(told.order.paidAt ?? told.order.createdAt, told.now)}`,
  })

/** The reply to a button of a card whose order is for another player by now: nothing was done, and how it is now. */
export const cardOld = (told: StaffOrder, links: ChatLinks): LineMessage =>
  workCard(
    staffCard(told, links, { tone: 'warn', over: `การ์ดที่กดเก่าแล้ว · ตอนนี้ ${ORDER_STATUS[told.order.status].label}` }),
  )

/** For the staff's group: the buyer of a failed order gave another player. */
export const orderCorrected = (
  { order, proposed }: { order: ToldOrder; proposed: readonly { label: string; value: string }[] },
  links: ChatLinks,
): LineMessage =>
  workCard({
    tone: 'warn',
    over: 'ลูกค้าแก้ข้อมูลผู้เล่นแล้ว',
    goods: goodsFor(order, links),
    facts: [
      ...proposed.map((fact, index) => ({ ...fact, label: `${fact.label} ใหม่`, isMain: index === 0 })),
      { label: 'Player ID เดิม', value: order.playerId },
      { label: 'เลขที่', value: order.orderNo },
    ],
    note: 'ตรวจข้อมูลใหม่ แล้วกดเติมใหม่ในหลังร้าน การ์ดใหม่จะมาในกลุ่มนี้',
    actions: [openInQueue(order, links)],
    alt: `ลูกค้าแก้ข้อมูลผู้เล่นแล้ว ${order.gameName} ${goodsOf(order)} ${order.orderNo}`,
  })

/** For managers: the buyer of a failed order wants its money. */
export const refundAsked = ({ order }: { order: ToldOrder }, links: ChatLinks): WorkCard => ({
  tone: 'warn',
  over: 'ลูกค้าขอเงินคืน',
  goods: goodsFor(order, links),
  facts: [
    { label: 'ยอด', value: baht(order.amountSatang), isMain: true },
    ...(order.reason ? [{ label: 'เติมไม่สำเร็จเพราะ', value: order.reason }] : []),
    { label: 'เลขที่', value: order.orderNo },
  ],
  note: 'ตรวจว่ายังไม่ได้เติม แล้วกดคืนเงินในหลังร้าน บัญชีที่ลูกค้าแจ้งไว้จะตามไปในหน้าคืนเงิน',
  actions: [openInQueue(order, links)],
  alt: `ลูกค้าขอเงินคืน ${order.gameName} ${goodsOf(order)} ${order.orderNo}`,
})

/** The reply to somebody who claims, in one line; the next step is a button below it. */
export const claimed = ({ order, name }: { order: ToldOrder; name: string }, links: ChatLinks): LineMessage =>
  words(`${queueOf(order)} · ${name} รับเรื่องแล้ว\n${goodsOf(order)} · ${order.playerId}`, [
    completeButton(order),
    openInQueue(order, links),
  ])

/** Why an order's buyer is not told of its end in LINE. */
const UNTOLD = {
  guest: 'ลูกค้าไม่ได้เข้าสู่ระบบด้วย LINE',
  notFriend: 'ลูกค้ายังไม่ได้เป็นเพื่อนกับร้าน',
  quotaFull: 'โควตาข้อความของเดือนนี้เต็มแล้ว',
} as const
export type Untold = keyof typeof UNTOLD

/** The reply to somebody who completes an order. */
export const completed = ({ order, name, untold }: { order: ToldOrder; name: string; untold: Untold | null }) =>
  words(
    `${name} เติม ${order.orderNo} ${order.gameName} เสร็จแล้ว ${
      untold ? `ไม่ได้แจ้งลูกค้าใน LINE เพราะ${UNTOLD[untold]} ลูกค้าดูได้ที่หน้าติดตาม` : 'กำลังแจ้งลูกค้าใน LINE'
    }`,
  )

/** The reply to somebody who types another reference for an order that they completed. */
export const referenceCorrected = ({ order, before }: { order: ToldOrder; before: string }): LineMessage =>
  words(`แก้เลขอ้างอิงของ ${order.orderNo} แล้ว\n${before} → ${order.deliveryReference}`)

/** The reply to somebody who completes an order once more: it is done, and with which reference. */
export const alreadyCompleted = ({ order, name }: { order: ToldOrder; name: string }): LineMessage =>
  words(`${order.orderNo} เสร็จแล้วโดย ${name} เลขอ้างอิง ${order.deliveryReference ?? '-'}`)

/** The reply to somebody who named an order by the end of its number only: what to type for each that it may be. */
export const numberWanted = ({ digits, typed }: { digits: string; typed: readonly string[] }): LineMessage =>
  words(
    typed.length === 0
      ? `ไม่พบคำสั่งซื้อที่รอเติมซึ่งเลขลงท้ายด้วย ${digits} กรุณาพิมพ์เลขเต็มที่ขึ้นต้นด้วย KT`
      : `หมายถึงรายการนี้ใช่ไหม หากใช่ กรุณาพิมพ์เลขเต็ม\n${typed.join('\n')}`,
  )

/** The reply to somebody who said "done": they must still type the reference. */
export const referenceWanted = ({ order }: { order: ToldOrder }): LineMessage =>
  words(`พิมพ์เลขอ้างอิงการเติมต่อท้าย แล้วส่งในแชทนี้ เช่น\n${completeWords(order.orderNo)}AB-1234`, [completeButton(order)])

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
