import type { Letter } from '../letter.ts'
import { keysOf } from '../table.ts'
import * as buyer from './buyer-messages.ts'
import { drawn, type HouseCard, letterOf } from './card-letter.ts'
import type { LineMessage } from './flex.ts'
import * as desk from './house-messages.ts'
import type { ChatLinks } from './links.ts'
import * as order from './order-messages.ts'
import * as owner from './owner-messages.ts'

interface KindEntry<Facts> {
  /** Its name for staff. */
  label: string
  /**
   * What happens to it once four fifths of the month's messages are used: it is sent all the same, left out, or put
   * into a digest. Replies to events cost nothing.
   */
  whenLow: 'send' | 'skip' | 'digest' | 'free'
  /** Returns a list, because that is what LINE's API takes. */
  build(facts: Facts, links: ChatLinks): LineMessage[]
  /** The same as a mail, where it is for those who must hear of it: managers and admins. */
  letter?(facts: Facts, links: ChatLinks): Letter
}

const kind = <Facts>(
  label: string,
  whenLow: KindEntry<Facts>['whenLow'],
  build: (facts: Facts, links: ChatLinks) => LineMessage,
): KindEntry<Facts> => ({ label, whenLow, build: (facts, links) => [build(facts, links)] })

const house = <Facts>(
  label: string,
  whenLow: KindEntry<Facts>['whenLow'],
  show: (facts: Facts, links: ChatLinks) => HouseCard,
): KindEntry<Facts> => ({
  ...kind(label, whenLow, (facts: Facts, links) => drawn(show(facts, links))),
  letter: (facts, links) => letterOf(show(facts, links)),
})

const kinds = {
  orderPaid: kind('คำสั่งซื้อรอเติม', 'digest', order.orderPaid),
  orderUnclaimed: house('คำสั่งซื้อยังไม่มีคนรับ', 'send', order.orderUnclaimed),
  orderCorrected: kind('ลูกค้าแก้ข้อมูลผู้เล่น', 'digest', order.orderCorrected),
  refundAsked: house('ลูกค้าขอเงินคืน', 'digest', order.refundAsked),
  orderEnded: kind('แจ้งลูกค้าว่าเติมแล้วหรือไม่สำเร็จ', 'send', buyer.orderEnded),
  orderRevived: kind('แจ้งลูกค้าว่าได้รับเงินแล้วหลังหมดเวลา', 'send', buyer.orderRevived),
  topUpEntered: house('ขอเติมกระเป๋าเงิน', 'digest', desk.topUpEntered),
  topUpApproved: kind('แจ้งตัวแทนว่าเติมแล้ว', 'skip', desk.topUpApproved),
  topUpRejected: kind('แจ้งตัวแทนว่าไม่อนุมัติ', 'send', desk.topUpRejected),
  pinLocked: kind('แจ้งเจ้าของว่า PIN ถูกล็อก', 'send', desk.pinLocked),
  ownerNews: kind('แจ้งเจ้าของบัญชีว่ามีการเปลี่ยนแปลง', 'send', owner.ownerNews),
  ownerUntold: house('แจ้งผู้จัดการว่าเจ้าของไม่ได้รับแจ้ง', 'send', owner.ownerUntold),
  trouble: house('เรื่องที่ต้องให้ผู้จัดการดู', 'send', desk.trouble),
  valueMoved: house('แจ้งการเคลื่อนย้ายมูลค่า', 'send', desk.valueMoved),
  fileWaits: house('ไฟล์ธนาคารรอคนที่สอง', 'send', desk.fileWaits),
  secondWordNeeded: house('รอคนที่สองยืนยัน', 'send', desk.secondWordNeeded),
  movesOfDay: house('สรุปการเคลื่อนย้ายมูลค่า', 'send', desk.movesOfDay),
  digest: house('สรุปงานรอทำ', 'send', desk.digest),
  orderStatus: kind('ตอบสถานะ', 'free', buyer.orderStatus),
  claimed: kind('ตอบว่ารับเรื่องแล้ว', 'free', order.claimed),
  completed: kind('ตอบว่าเติมแล้ว', 'free', order.completed),
  cardOld: kind('ตอบว่าการ์ดเก่าแล้ว', 'free', order.cardOld),
  alreadyCompleted: kind('ตอบว่าเติมไปแล้ว', 'free', order.alreadyCompleted),
  referenceCorrected: kind('ตอบว่าแก้เลขอ้างอิงแล้ว', 'free', order.referenceCorrected),
  numberWanted: kind('ถามว่าหมายถึงคำสั่งซื้อไหน', 'free', order.numberWanted),
  referenceWanted: kind('ขอเลขอ้างอิง', 'free', order.referenceWanted),
  presserUnknown: kind('ไม่ทราบว่าใครกด', 'free', order.presserUnknown),
  refused: kind('ตอบว่าทำไม่ได้', 'free', order.refused),
  codeAccepted: kind('ตอบว่าผูกแล้ว', 'free', desk.codeAccepted),
  codeRefused: kind('ตอบว่ารหัสใช้ไม่ได้', 'free', desk.codeRefused),
  roomLost: kind('ตอบว่ากลุ่มยังไม่ได้ผูกใหม่', 'free', desk.roomLost),
  notStaff: kind('ตอบว่ายังไม่ได้เชื่อมบัญชี', 'free', desk.notStaff),
}

export type MessageKind = keyof typeof kinds
export type MessageFacts = { [K in MessageKind]: Parameters<(typeof kinds)[K]['build']>[0] }

/** The table of all messages in LINE. Each builds its text from facts alone. */
export const MESSAGE: { [K in MessageKind]: KindEntry<MessageFacts[K]> } = kinds
export const MESSAGE_KINDS = keysOf(kinds)
