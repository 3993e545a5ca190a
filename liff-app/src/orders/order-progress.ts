import { formatMinutes } from '@shop/shared/catalogue/minutes.ts'
import { PAYMENT_METHOD, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { REFUND_DAYS } from '@shop/shared/order/refund.ts'
import { isReturned, ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { isSlipAskedAgain, type SlipCheckState } from '@shop/shared/slipcheck/slip-check.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { formatShort } from '@shop/web/dates.ts'
import { isSilent } from '../gateway/charge-facts.ts'
import type { TimelineStep } from '../ui/timeline.tsx'
import { expectedTextOf } from './expected-time.ts'
import { CORRECTED, creditBackText, REFUND_ASKED } from './order-facts.ts'

type Shown = Pick<
  OrderView,
  | 'package'
  | 'codes'
  | 'status'
  | 'transferReportedAt'
  | 'usualMinutes'
  | 'timeline'
  | 'createdAt'
  | 'paidAt'
  | 'payment'
  | 'charge'
  | 'slipCheck'
  | 'canCorrect'
  | 'proposedFields'
  | 'playerChange'
  | 'ahead'
  | 'expected'
  | 'nowDate'
  | 'refunds'
  | 'canAskRefund'
  | 'refundAskedAt'
  | 'creditBackSatang'
  | 'amountSatang'
>

/** Within this time somebody answers a buyer whose top-up failed. */
const FAILED_ANSWER_SECONDS = 24 * 3600

const CHECKING = 'กำลังตรวจยอดเงิน'
const TOPPING_UP = 'กำลังเติมเข้าเกม'
const CHANGED = 'ร้านเปลี่ยนผู้เล่น'
const CLOSABLE = 'ปิดหน้านี้ได้'

/** A headline, and a text below it. */
export interface Words {
  title: string
  text: string
}

/** What is said of a transfer that was reported, by the state of the check of its slip. */
const REPORTED: Record<SlipCheckState | 'unchecked', Words> = {
  unchecked: { title: CHECKING, text: 'รับแจ้งการโอนแล้ว ไม่ต้องโอนซ้ำ' },
  staff: { title: CHECKING, text: 'ทีมงานกำลังตรวจยอดเงิน ไม่ต้องโอนซ้ำ' },
  confirming: { title: 'ธนาคารกำลังยืนยันยอด', text: 'เมื่อยืนยันแล้วหน้านี้จะเปลี่ยนเอง ไม่ต้องโอนซ้ำ' },
  confirmed: { title: CHECKING, text: 'รับแจ้งการโอนแล้ว ไม่ต้องโอนซ้ำ' },
  used: { title: 'สลิปนี้ใช้กับรายการอื่นแล้ว', text: 'กรุณาส่งสลิปของคำสั่งซื้อนี้ หากโอนแล้วแต่ไม่มีสลิป กรุณาติดต่อร้าน' },
  picture: { title: 'อ่านรูปสลิปไม่ได้', text: 'กรุณาส่งรูปสลิปใหม่ที่เห็น QR ชัดเจน ไม่ต้องโอนซ้ำ' },
}

/** What is said of a reported transfer whose money is not confirmed yet. */
export const reportedWordsOf = ({ slipCheck }: Pick<OrderView, 'slipCheck'>): Words =>
  REPORTED[slipCheck ?? 'unchecked']

/** Says how soon the goods come while the shop is open. */
export const deliveryOf = ({ usualMinutes }: Pick<OrderView, 'usualMinutes'>) =>
  `ปกติภายใน ${formatMinutes(usualMinutes)}`

/** The server stops counting here. */
const MANY_AHEAD = 100

/** Says how many orders stand before a paid one; null when none does, or when it is not known. */
function aheadTextOf({ ahead }: Pick<OrderView, 'ahead'>): string | null {
  if (!ahead) return null
  return `${ahead < MANY_AHEAD ? `อีก ${ahead}` : `มากกว่า ${MANY_AHEAD}`} คิวก่อนหน้า`
}

/** Joins sentences by a space, since Thai has no full stop. */
const sentencesOf = (...sentences: (string | null)[]) => sentences.filter(Boolean).join(' ')

/** Says by when: "ภายใน 21 พ.ย. · 14:05 น.", whose day and time each stay on one line: with large text one line is too short for both. */
const untilText = (since: string, seconds: number): string =>
  `ภายใน ${formatShort(addSeconds(new Date(since), seconds))
    .replaceAll(' ', '\u00a0')
    .replace('·\u00a0', '· ')}`

/** Says by when the money of a refunded order is sent: "ภายใน 21 พ.ย. 14:05 น." once its buyer has named an account. */
function sendUntil({ refunds }: Pick<Shown, 'refunds'>): string {
  const givenAt = refunds.find(({ sentAt }) => sentAt === null)?.payeeAt
  if (givenAt) return untilText(givenAt, REFUND_DAYS * 24 * 3600)
  return `ภายใน ${REFUND_DAYS} วันหลังคุณแจ้งบัญชีรับเงิน`
}

/** A refund that its buyer wants as credit, and that a second person of the shop must agree to. */
const waitsForCredit = ({ asCredit, sentAt }: Shown['refunds'][number]) => asCredit && sentAt === null
const WAITS_FOR_CREDIT = 'รับคำขอรับเงินคืนเป็นเครดิตร้านแล้ว ทีมงานกำลังยืนยัน ปิดหน้านี้ได้'

const SENT_BACK = 'ร้านคืนเงินของคำสั่งซื้อนี้แล้ว'
const REFUNDED: Record<PaymentKind, string> = {
  bank: SENT_BACK,
  gateway: SENT_BACK,
  wallet: 'คืนเงินเข้ากระเป๋าเงินแล้ว',
  credit: SENT_BACK,
}

/** Says what the money became: who looks for shop credit at their bank finds nothing. */
function refundedWordsOf({ payment, creditBackSatang, amountSatang }: Shown): Words {
  if (creditBackSatang === 0)
    return { title: ORDER_STATUS.refunded.label, text: REFUNDED[PAYMENT_METHOD[payment].kind] }
  const isAll = creditBackSatang >= amountSatang
  return {
    title: creditBackText(creditBackSatang),
    text: `ใช้ซื้อได้ทุกเกม ไม่มีวันหมดอายุ ${isAll ? 'ไม่ได้โอนเข้าบัญชีธนาคาร' : 'ส่วนที่เหลือร้านโอนคืนแล้ว'}`,
  }
}

/** Said while the gateway does not tell whether the money came, whatever the order's own time. */
const UNANSWERED: Words = {
  title: 'รอผู้ให้บริการรับชำระตอบ',
  text: 'หากจ่ายแล้ว ไม่ต้องจ่ายซ้ำ เงินไม่หาย ร้านถามต่อให้เอง และหน้านี้จะเปลี่ยนเมื่อรู้ผล',
}

interface Unpaid {
  /** What the buyer does while the order waits for its money. */
  todo: string
  /** The step of it. */
  waiting: string
  cancelled: string
  expired: string
  /** What follows when the time to pay is over. */
  next: { title: string; detail: string }
}

const TRANSFERRING: Unpaid = {
  todo: 'โอนให้ตรงทุกสตางค์ภายในเวลาที่กำหนด',
  waiting: 'รอโอนเงิน',
  cancelled: 'คำสั่งซื้อนี้ถูกยกเลิก หากโอนเงินไปแล้ว กรุณาติดต่อร้าน',
  expired: 'หมดเวลาชำระแล้ว หากโอนไปแล้ว กด “โอนแล้ว แจ้งชำระเงิน” ทีมงานจะตรวจให้',
  next: { title: 'โอนแล้ว แจ้งชำระเงิน', detail: 'ยังไม่ได้โอน สั่งซื้อใหม่ได้เลย' },
}
const ORDER_ANEW = 'ยังไม่มีการตัดเงิน สั่งซื้อใหม่ได้เลย'
/** What is said of an order without its money, by the way that this comes. An order by wallet or credit never lacks it. */
const UNPAID: Record<PaymentKind, Unpaid> = {
  bank: TRANSFERRING,
  wallet: TRANSFERRING,
  credit: TRANSFERRING,
  gateway: {
    todo: 'ชำระภายในเวลาที่กำหนด แล้วหน้านี้จะเปลี่ยนเอง',
    waiting: 'รอชำระเงิน',
    cancelled: 'คำสั่งซื้อนี้ถูกยกเลิก หากจ่ายเงินไปแล้ว ร้านจะคืนให้ กรุณาติดต่อร้าน',
    expired: `${ORDER_ANEW} หากเงินถูกตัดไปแล้ว ร้านจะคืนให้ กรุณาติดต่อร้าน`,
    next: { title: 'สั่งซื้อใหม่', detail: ORDER_ANEW },
  },
}
const unpaidOf = ({ payment }: Pick<Shown, 'payment'>): Unpaid => UNPAID[PAYMENT_METHOD[payment].kind]

/** The steps from the payment to the goods. */
const PATH = ['paid', 'processing', 'success'] satisfies OrderStatus[]

interface Stage {
  /** Says what the state of the order is and what comes next; `closedNote` is what `useClosedNote` gives. */
  describe(order: Shown, closedNote: string | null): Words
  /** The name of the step once it was reached. */
  step: string
  /** The text before the time at which the step was reached. */
  since?: string
  /** The step that is under way, and what it is called meanwhile; null when none is. */
  current: { of: (typeof PATH)[number]; titleOf(order: Shown): string } | null
  /** The step that follows a bad end. */
  next?(order: Shown): TimelineStep
}

/** Says by when somebody answers a buyer whose top-up failed, or who then asked for the money: "ภายใน 21 พ.ย. 14:05 น.". */
function answerUntil({ timeline, refundAskedAt }: Pick<Shown, 'timeline' | 'refundAskedAt'>): string {
  const at = refundAskedAt ?? timeline.findLast(({ to, kind }) => kind === 'status' && to === 'failed')?.at
  return at ? untilText(at, FAILED_ANSWER_SECONDS) : ''
}

const ASKED_BACK: Record<PaymentKind, string> = {
  bank: 'ทีมงานจะตรวจแล้วโอนคืน',
  gateway: 'ทีมงานจะตรวจแล้วโอนคืน',
  wallet: 'ทีมงานจะตรวจแล้วคืนเข้ากระเป๋าเงิน',
  credit: 'ทีมงานจะตรวจแล้วคืนเป็นเครดิตร้าน',
}

const isOfCodes = ({ package: sold }: Pick<Shown, 'package'>): boolean => sold.delivers === 'code'

/** Describes an order that could not be delivered: what its buyer can do about it, or that they have done it. */
function failedWordsOf(order: Shown): Words {
  if (order.canCorrect && order.proposedFields)
    return {
      title: CORRECTED,
      text: sentencesOf('ทีมงานจะเติมใหม่ให้', answerUntil(order), CLOSABLE),
    }
  if (order.refundAskedAt) {
    const isAccountMissing = order.refunds.some(({ payee, sentAt }) => !payee && !sentAt)
    const next = isAccountMissing ? 'แจ้งบัญชีรับเงินด้านล่างได้เลย' : CLOSABLE
    return {
      title: REFUND_ASKED,
      text: sentencesOf(ASKED_BACK[PAYMENT_METHOD[order.payment].kind], answerUntil(order), next),
    }
  }
  const title = isOfCodes(order) ? 'ส่งรหัสไม่สำเร็จ' : ORDER_STATUS.failed.label
  if (!order.canAskRefund)
    return { title, text: sentencesOf('เงินของคุณยังอยู่กับร้าน ทีมงานจะคืนเงินหรือลองใหม่ให้', answerUntil(order)) }
  const way =
    order.canCorrect && !isOfCodes(order) ? 'หากกรอก ID ผิด แก้แล้วให้ร้านเติมใหม่ได้ด้านล่าง หรือขอเงินคืน' : 'ขอเงินคืนได้ด้านล่าง'
  return { title, text: sentencesOf('เงินของคุณยังอยู่กับร้าน', way) }
}

const STAGE: Record<OrderStatus, Stage> = {
  waiting_payment: {
    describe(order, closedNote) {
      if (isSilent(order.charge, order.nowDate)) return UNANSWERED
      const { title, text } = reportedWordsOf(order)
      if (isSlipAskedAgain(order.slipCheck)) return { title, text }
      return order.transferReportedAt
        ? { title, text: sentencesOf(text, closedNote, CLOSABLE) }
        : {
            title: ORDER_STATUS.waiting_payment.label,
            text: sentencesOf(unpaidOf(order).todo, closedNote),
          }
    },
    step: 'สั่งซื้อ',
    current: {
      of: 'paid',
      titleOf: order => (order.transferReportedAt ? reportedWordsOf(order).title : unpaidOf(order).waiting),
    },
  },
  paid: {
    describe: (order, closedNote) => ({
      title: ORDER_STATUS.paid.label,
      text: sentencesOf(closedNote ?? 'รอทีมงานเติมเข้าเกม', expectedTextOf(order), CLOSABLE),
    }),
    step: 'ได้รับเงิน',
    current: { of: 'processing', titleOf: () => 'รอทีมงานรับเรื่อง' },
  },
  processing: {
    describe: order => ({
      title: TOPPING_UP,
      text: sentencesOf(expectedTextOf(order), CLOSABLE, 'เมื่อเสร็จแล้วหน้านี้จะเปลี่ยนเอง'),
    }),
    step: TOPPING_UP,
    since: 'ทีมงานรับเรื่องเมื่อ ',
    current: { of: 'processing', titleOf: () => TOPPING_UP },
  },
  success: {
    describe: () => ({ title: 'เติมสำเร็จ', text: 'เติมเข้าเกมเรียบร้อยแล้ว ขอบคุณที่ใช้บริการ' }),
    step: 'เติมสำเร็จ',
    current: null,
  },
  cancel: {
    describe: order => ({ title: 'ยกเลิกแล้ว', text: unpaidOf(order).cancelled }),
    step: 'ยกเลิก',
    current: null,
  },
  expired: {
    describe({ transferReportedAt, slipCheck, payment, charge, nowDate }) {
      if (isSilent(charge, nowDate)) return UNANSWERED
      if (!transferReportedAt) return { title: 'หมดเวลาชำระแล้ว', text: unpaidOf({ payment }).expired }
      return slipCheck === 'confirming' || isSlipAskedAgain(slipCheck)
        ? reportedWordsOf({ slipCheck })
        : { title: CHECKING, text: 'แจ้งโอนหลังหมดเวลา ทีมงานจะตรวจให้ ไม่ต้องโอนซ้ำ' }
    },
    step: 'หมดเวลาชำระ',
    current: null,
    next: order =>
      isSilent(order.charge, order.nowDate)
        ? { title: UNANSWERED.title, detail: 'ไม่ต้องจ่ายซ้ำ', state: 'current' }
        : order.transferReportedAt
          ? { title: reportedWordsOf(order).title, detail: 'ไม่ต้องโอนซ้ำ', state: 'current' }
          : { ...unpaidOf(order).next, state: 'todo' },
  },
  failed: {
    describe: failedWordsOf,
    step: ORDER_STATUS.failed.label,
    current: null,
    next: order => ({ title: 'คืนเงินหรือเติมใหม่', detail: answerUntil(order), state: 'current' }),
  },
  refunding: {
    describe: order => ({
      title: ORDER_STATUS.refunding.label,
      text: order.refunds.some(waitsForCredit)
        ? WAITS_FOR_CREDIT
        : sentencesOf('ร้านยกเลิกรายการนี้ และจะโอนเงินคืนให้คุณ', sendUntil(order)),
    }),
    step: 'ร้านยกเลิกรายการนี้',
    current: null,
    next: order =>
      order.refunds.some(waitsForCredit)
        ? { title: 'คืนเงินเป็นเครดิตร้าน', detail: 'ทีมงานกำลังยืนยัน', state: 'current' }
        : { title: 'โอนเงินคืน', detail: sendUntil(order), state: 'current' },
  },
  refunded: {
    describe: refundedWordsOf,
    step: ORDER_STATUS.refunded.label,
    current: null,
  },
}

const PREPARING = 'กำลังเตรียมรหัส'
const CODES_READY: Words = { title: 'รหัสพร้อมแล้ว', text: 'กด “แสดงรหัส” เพื่อดูรหัสของคุณ' }
/** Says that the codes are there; how to see them only to whoever has not seen them all. */
export const codesWordsOf = ({ codes }: Pick<OrderView, 'codes'>): Words =>
  codes?.rows.every(({ revealedAt }) => revealedAt !== null)
    ? { ...CODES_READY, text: 'รหัสของคุณอยู่ด้านล่าง' }
    : CODES_READY
/** What is said otherwise of an order that brings codes. */
const CODE_STAGE: Partial<Record<OrderStatus, Partial<Stage>>> = {
  paid: {
    describe: (order, closedNote) => ({
      title: ORDER_STATUS.paid.label,
      text: sentencesOf(closedNote ?? PREPARING, expectedTextOf(order), CLOSABLE),
    }),
    current: { of: 'processing', titleOf: () => PREPARING },
  },
  processing: {
    describe: order => ({
      title: PREPARING,
      text: sentencesOf(expectedTextOf(order), CLOSABLE, 'เมื่อเสร็จแล้วหน้านี้จะเปลี่ยนเอง'),
    }),
    step: 'เตรียมรหัส',
    since: 'เริ่มเมื่อ ',
    current: { of: 'processing', titleOf: () => PREPARING },
  },
  success: { describe: codesWordsOf, step: 'ได้รับรหัส' },
}

const stageOf = (order: Pick<Shown, 'package'>, status: OrderStatus): Stage =>
  isOfCodes(order) ? { ...STAGE[status], ...CODE_STAGE[status] } : STAGE[status]

/** Says what the state of an order is and what comes next. */
export const describeOrder = (order: Shown, closedNote: string | null) =>
  stageOf(order, order.status).describe(order, closedNote)

/** The steps of an order: what happened and when, what is happening, and what comes. */
export function listProgress(order: Shown): TimelineStep[] {
  const steps: TimelineStep[] = [
    { title: STAGE.waiting_payment.step, detail: formatShort(order.createdAt), state: 'done' },
  ]
  if (order.transferReportedAt) {
    steps.push({ title: 'แจ้งโอนเงิน', detail: formatShort(order.transferReportedAt), state: 'done' })
  }
  const isOnPath = stageOf(order, order.status).current !== null || order.status === PATH.at(-1)
  return [...steps, ...(isOnPath ? listPath(order) : listEnd(order))]
}

type Event = OrderView['timeline'][number]

/** The changes of status, for each status only the last, since an order may be claimed, given back and claimed again. */
const listChanges = (timeline: Event[]): Event[] =>
  timeline
    .filter(({ kind }) => kind === 'status')
    .filter(({ to }, index, all) => all.findLastIndex(each => each.to === to) === index)

/** The steps to the goods: those that were reached and those to come. */
function listPath(order: Shown): TimelineStep[] {
  const { current } = stageOf(order, order.status)
  const done = current ? PATH.indexOf(current.of) : PATH.length
  const changes = listChanges(order.timeline)
  const changed = order.playerChange && order.timeline.findLast(({ kind }) => kind === 'player_changed')
  const steps = PATH.map((status, index): TimelineStep => {
    const { step, since = '' } = stageOf(order, status)
    const isReached = index < done || status === order.status
    // What pays at once has no change to being paid.
    const known = changes.find(({ to }) => to === status)?.at ?? (status === 'paid' ? order.paidAt : null)
    const at = isReached && known
    const details = [
      at && since + formatShort(at),
      ...(index === done ? [aheadTextOf(order), expectedTextOf(order)] : []),
    ]
    return {
      title: current && index === done ? current.titleOf(order) : step,
      detail: details.filter(Boolean).join(' · ') || undefined,
      state: index < done ? 'done' : index === done ? 'current' : 'todo',
    }
  })
  const change: TimelineStep[] = changed ? [{ title: CHANGED, detail: formatShort(changed.at), state: 'done' }] : []
  return [...steps.slice(0, 1), ...change, ...steps.slice(1)]
}

/** The steps of an order that ended without the goods, and what follows. */
function listEnd(order: Shown): TimelineStep[] {
  const { next } = STAGE[order.status]
  const stateOf = (status: OrderStatus): TimelineStep['state'] => {
    if (ORDER_STATUS[status].tone === 'bad') return 'bad'
    if (status !== order.status || isReturned(status)) return 'done'
    return next ? 'bad' : 'current'
  }
  const steps = listChanges(order.timeline).map(
    ({ to, at }): TimelineStep => ({ title: STAGE[to].step, detail: formatShort(at), state: stateOf(to) }),
  )
  return next ? [...steps, next(order)] : steps
}
