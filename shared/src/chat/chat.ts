import { mayUseLine, type Role } from '../permissions.ts'

/** Groups of the shop's own people in LINE, by the people they are for. */
export const CHAT_ROOMS = ['staff', 'managers'] as const
export type ChatRoom = (typeof CHAT_ROOMS)[number]

/** The purpose of a one-time code typed into a chat: to make that group a room, or to link that person. */
export type ChatCodePurpose = ChatRoom | 'person'

/** Events that somebody may be told of in LINE. */
export type ChatEvent =
  /** Money came or a claim lapsed, so the order waits for staff. */
  | 'orderPaid'
  /** The buyer of a failed order gave another player. */
  | 'orderCorrected'
  /** The buyer of a failed order wants its money. */
  | 'refundAsked'
  /** Nobody has taken the order, and its promised time is near. */
  | 'orderUnclaimed'
  /** The order was delivered, failed, is to be refunded or was. */
  | 'orderEnded'
  | 'topUpEntered'
  | 'topUpDecided'
  /** Wrong PINs locked somebody's wallet. */
  | 'pinLocked'
  /** The shop changed an account whose owner can't be reached. */
  | 'ownerUntold'
  /** A group was bound, and hears what waits. */
  | 'roomBound'
  /** There is a problem that only a manager can solve. */
  | 'trouble'
  /** Somebody moved value without a customer's money, or made that possible. */
  | 'valueMoved'
  /** Somebody needs a second person's agreement. */
  | 'secondWordNeeded'
  /** A bank's file holds more money than its uploader alone may vouch for. */
  | 'fileWaits'
  /** The daily sum of what each person moved alone, small amounts included. */
  | 'movesOfDay'
  /** A digest for a room in place of single messages. */
  | 'digest'

/** The state of a message. `skipped`: it was not to be sent any more; `dead`: it was given up. */
export const MESSAGE_STATES = ['waiting', 'sent', 'skipped', 'dead'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/** The tabs under which messages are listed: by state, and all that can be sent again. */
export const MESSAGE_TABS = ['dead', 'resendable', 'skipped', 'waiting', 'sent'] as const satisfies (
  | MessageState
  | 'resendable'
)[]
export type MessageTab = (typeof MESSAGE_TABS)[number]

/** Why a message was not sent, in words for staff. */
export const UNSENT = {
  notFriend: 'ผู้รับไม่ได้เป็นเพื่อนกับร้าน หรือบล็อกร้านไว้',
  quotaLow: 'โควตาข้อความใกล้เต็ม จึงเว้นข้อความที่ไม่จำเป็น',
  quotaFull: 'โควตาข้อความของเดือนนี้เต็มแล้ว',
  refused: 'LINE ไม่รับข้อความนี้',
  unreachable: 'ติดต่อ LINE ไม่ได้หลายครั้งติดกัน',
  tooLate: 'ตอบไม่ทันเวลาที่ LINE กำหนด',
} as const satisfies Record<string, string>
export type Unsent = keyof typeof UNSENT

/** What linking changes for the LINE of somebody who works for the shop; they read it before and after. */
export const linkWarning = (role: Role): string =>
  mayUseLine(role)
    ? 'ร้านใน LINE ที่เชื่อมจะเปิดเป็นบัญชีทีมงานนี้ และไม่เห็นคำสั่งซื้อที่เคยซื้อด้วย LINE นั้น'
    : 'LINE ที่เชื่อมจะเข้าร้านใน LINE ไม่ได้ และไม่เห็นคำสั่งซื้อที่เคยซื้อด้วย LINE นั้น ถ้าใช้ LINE นั้นซื้อของด้วย ให้เชื่อม LINE อีกบัญชี'
