/** Rooms of the shop's own people in LINE, and who they are for. */
export const CHAT_ROOMS = ['staff', 'managers'] as const
export type ChatRoom = (typeof CHAT_ROOMS)[number]

/** What a one-time code that is typed into a chat is for: that group becomes a room, or that person is linked. */
export type ChatCodePurpose = ChatRoom | 'person'

/** What happened that somebody in LINE may be told of. */
export type ChatEvent =
  /** Money came, or a claim lapsed: the order waits for staff. */
  | 'orderPaid'
  /** Nobody has taken it, and its customer was promised it soon. */
  | 'orderUnclaimed'
  /** Delivered, failed or given back. */
  | 'orderEnded'
  | 'topUpEntered'
  | 'topUpDecided'
  /** Wrong PINs locked somebody's wallet. */
  | 'pinLocked'
  /** The shop changed an account, and its owner can't be told. */
  | 'ownerUntold'
  /** Something that only a manager can mend. */
  | 'trouble'
  /** Somebody moved value without a customer's money, or opened the way to it. */
  | 'valueMoved'
  /** Somebody can't do something alone. */
  | 'secondWordNeeded'
  /** A bank's file tells of more than who gave it speaks for alone. */
  | 'fileWaits'
  /** What each person moved alone on a day, small moves too. */
  | 'movesOfDay'
  /** What waits for a room, in place of single messages. */
  | 'digest'

/** How far a message of the shop is. `skipped` was not to be sent after all, `dead` ended without being sent. */
export const MESSAGE_STATES = ['waiting', 'sent', 'skipped', 'dead'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

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
