import type { LineMessage } from './flex.ts'
import * as house from './house-messages.ts'
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
}

const kind = <Facts>(
  label: string,
  whenLow: KindEntry<Facts>['whenLow'],
  build: (facts: Facts, links: ChatLinks) => LineMessage,
): KindEntry<Facts> => ({ label, whenLow, build: (facts, links) => [build(facts, links)] })

const kinds = {
  orderPaid: kind('คำสั่งซื้อรอเติม', 'digest', order.orderPaid),
  orderUnclaimed: kind('คำสั่งซื้อยังไม่มีคนรับ', 'send', order.orderUnclaimed),
  orderCorrected: kind('ลูกค้าแก้ข้อมูลผู้เล่น', 'digest', order.orderCorrected),
  orderEnded: kind('แจ้งลูกค้าว่าเติมแล้วหรือไม่สำเร็จ', 'send', order.orderEnded),
  topUpEntered: kind('ขอเติมกระเป๋าเงิน', 'digest', house.topUpEntered),
  topUpApproved: kind('แจ้งตัวแทนว่าเติมแล้ว', 'skip', house.topUpApproved),
  topUpRejected: kind('แจ้งตัวแทนว่าไม่อนุมัติ', 'send', house.topUpRejected),
  pinLocked: kind('แจ้งเจ้าของว่า PIN ถูกล็อก', 'send', house.pinLocked),
  ownerNews: kind('แจ้งเจ้าของบัญชีว่ามีการเปลี่ยนแปลง', 'send', owner.ownerNews),
  ownerUntold: kind('แจ้งผู้จัดการว่าเจ้าของไม่ได้รับแจ้ง', 'send', owner.ownerUntold),
  trouble: kind('เรื่องที่ต้องให้ผู้จัดการดู', 'send', house.trouble),
  valueMoved: kind('แจ้งการเคลื่อนย้ายมูลค่า', 'send', house.valueMoved),
  fileWaits: kind('ไฟล์ธนาคารรอคนที่สอง', 'send', house.fileWaits),
  secondWordNeeded: kind('รอคนที่สองยืนยัน', 'send', house.secondWordNeeded),
  movesOfDay: kind('สรุปการเคลื่อนย้ายมูลค่า', 'send', house.movesOfDay),
  digest: kind('สรุปงานรอทำ', 'send', house.digest),
  orderStatus: kind('ตอบสถานะ', 'free', order.orderStatus),
  claimed: kind('ตอบว่ารับเรื่องแล้ว', 'free', order.claimed),
  completed: kind('ตอบว่าเติมแล้ว', 'free', order.completed),
  cardOld: kind('ตอบว่าการ์ดเก่าแล้ว', 'free', order.cardOld),
  alreadyCompleted: kind('ตอบว่าเติมไปแล้ว', 'free', order.alreadyCompleted),
  referenceCorrected: kind('ตอบว่าแก้เลขอ้างอิงแล้ว', 'free', order.referenceCorrected),
  referenceWanted: kind('ขอเลขอ้างอิง', 'free', order.referenceWanted),
  presserUnknown: kind('ไม่ทราบว่าใครกด', 'free', order.presserUnknown),
  refused: kind('ตอบว่าทำไม่ได้', 'free', order.refused),
  codeAccepted: kind('ตอบว่าผูกแล้ว', 'free', house.codeAccepted),
  codeRefused: kind('ตอบว่ารหัสใช้ไม่ได้', 'free', house.codeRefused),
  roomLost: kind('ตอบว่ากลุ่มยังไม่ได้ผูกใหม่', 'free', house.roomLost),
  notStaff: kind('ตอบว่ายังไม่ได้เชื่อมบัญชี', 'free', house.notStaff),
}

export type MessageKind = keyof typeof kinds
export type MessageFacts = { [K in MessageKind]: Parameters<(typeof kinds)[K]['build']>[0] }

/** The table of all messages in LINE. Each builds its text from facts alone. */
export const MESSAGE: { [K in MessageKind]: KindEntry<MessageFacts[K]> } = kinds
export const MESSAGE_KINDS = Object.keys(kinds) as MessageKind[]
