import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS_LABELS, type OrderStatus } from '@shop/shared/order/order.ts'
import { formatShort } from '@shop/shared/time.ts'
import { formatMinutes } from '../ui/minutes.ts'
import type { Tone } from '../ui/status-tag.tsx'
import type { TimelineStep } from '../ui/timeline.tsx'

type Shown = Pick<OrderView, 'status' | 'transferReportedAt' | 'usualMinutes' | 'timeline' | 'createdAt' | 'payment'>

export const STATUS_TONES: Record<OrderStatus, Tone> = {
  waiting_payment: 'warn',
  paid: 'accent',
  processing: 'accent',
  success: 'ok',
  cancel: 'neutral',
  expired: 'neutral',
  failed: 'bad',
  refunded: 'neutral',
}

const REFUNDED: Record<PaymentCode, string> = {
  bank: 'ร้านคืนเงินของคำสั่งซื้อนี้แล้ว',
  wallet: 'คืนเงินเข้า Wallet แล้ว',
}

/** Where an order stands, in words, and what comes next. */
export function describeOrder(order: Shown): { title: string; text: string } {
  const usual = `ปกติใช้เวลา ${formatMinutes(order.usualMinutes)} ปิดหน้านี้ได้`
  switch (order.status) {
    case 'waiting_payment':
      return order.transferReportedAt
        ? { title: 'กำลังตรวจยอดเงิน', text: 'รับแจ้งการโอนแล้ว ไม่ต้องโอนซ้ำ ปิดหน้านี้ได้' }
        : { title: ORDER_STATUS_LABELS.waiting_payment, text: 'โอนให้ตรงทุกสตางค์ภายในเวลาที่กำหนด' }
    case 'paid':
      return { title: ORDER_STATUS_LABELS.paid, text: `รอทีมงานเติมเข้าเกม ${usual}` }
    case 'processing':
      return { title: 'กำลังเติมเข้าเกม', text: `${usual} เมื่อเสร็จแล้วหน้านี้จะเปลี่ยนเอง` }
    case 'success':
      return { title: 'เติมสำเร็จ', text: 'เติมเข้าเกมเรียบร้อยแล้ว ขอบคุณที่ใช้บริการ' }
    case 'cancel':
      return { title: 'ยกเลิกแล้ว', text: 'คำสั่งซื้อนี้ถูกยกเลิก หากโอนเงินไปแล้ว กรุณาติดต่อร้าน' }
    case 'expired':
      return order.transferReportedAt
        ? { title: 'กำลังตรวจยอดเงิน', text: 'แจ้งโอนหลังหมดเวลา ทีมงานจะตรวจให้ ไม่ต้องโอนซ้ำ' }
        : {
            title: 'หมดเวลาชำระแล้ว',
            text: 'หมดเวลาชำระแล้ว หากโอนไปแล้ว กด “โอนแล้ว แจ้งชำระเงิน” ทีมงานจะตรวจให้',
          }
    case 'failed':
      return {
        title: 'เติมไม่สำเร็จ',
        text: 'เงินของคุณยังอยู่กับร้าน ทีมงานจะติดต่อเพื่อคืนเงินหรือเติมใหม่',
      }
    case 'refunded':
      return {
        title: 'คืนเงินแล้ว',
        text: REFUNDED[order.payment],
      }
  }
}

const FAILED: OrderStatus[] = ['cancel', 'expired', 'failed', 'refunded']
const PATH: OrderStatus[] = ['paid', 'processing', 'success']
const STEP_TITLES: Partial<Record<OrderStatus, string>> = {
  paid: 'ได้รับเงิน',
  processing: 'กำลังเติมเข้าเกม',
  success: 'เติมสำเร็จ',
  cancel: 'ยกเลิก',
  expired: 'หมดเวลาชำระ',
  failed: 'เติมไม่สำเร็จ',
  refunded: 'คืนเงินแล้ว',
}

type Event = OrderView['timeline'][number]

const lastTimeOf = (timeline: Event[], to: OrderStatus) =>
  timeline.findLast(event => event.kind === 'status' && event.to === to)?.at

/** The order's way as steps: what happened with its time, what is happening, what comes. */
export function listProgress(order: Shown): TimelineStep[] {
  const steps: TimelineStep[] = [{ title: 'สั่งซื้อ', detail: formatShort(order.createdAt), state: 'done' }]
  if (order.transferReportedAt) {
    steps.push({ title: 'แจ้งโอนเงิน', detail: formatShort(order.transferReportedAt), state: 'done' })
  }
  if (FAILED.includes(order.status)) return [...steps, ...listEnd(order)]
  const reached = PATH.indexOf(order.status)
  PATH.forEach((status, index) => {
    const at = index <= reached ? lastTimeOf(order.timeline, status) : undefined
    const state = stateOf(index, reached, order.status)
    steps.push({
      title: state === 'current' ? currentTitleOf(order) : STEP_TITLES[status],
      detail: at && (status === 'processing' ? `ทีมงานรับเรื่องเมื่อ ${formatShort(at)}` : formatShort(at)),
      state,
    })
  })
  return steps
}

function currentTitleOf({ status, transferReportedAt }: Shown): string {
  if (status === 'waiting_payment') return transferReportedAt ? 'กำลังตรวจยอดเงิน' : 'รอโอนเงิน'
  return status === 'paid' ? 'รอทีมงานรับเรื่อง' : 'กำลังเติมเข้าเกม'
}

/** A paid order is being worked on next, so its following step is the current one. */
function stateOf(index: number, reached: number, status: OrderStatus): TimelineStep['state'] {
  const isDone = status === 'processing' ? index < reached : index <= reached
  if (isDone) return 'done'
  return index === reached + (status === 'processing' ? 0 : 1) ? 'current' : 'todo'
}

/** How an order that ended otherwise got there. */
function listEnd(order: Shown): TimelineStep[] {
  return [...PATH, ...FAILED].flatMap(status => {
    const at = lastTimeOf(order.timeline, status)
    if (!at || status === 'success') return []
    const isLast = status === order.status
    return [{ title: STEP_TITLES[status], detail: formatShort(at), state: isLast ? 'current' : 'done' } as const]
  })
}
