import { OWNER_NEWS, OWNER_NEWS_KINDS, type OwnerNewsKind } from '../account/news.ts'
import { MESSAGE, MESSAGE_KINDS, type MessageKind } from '../chat/message.ts'

/** What a mail is: news for the owner of an account, or for the shop's own people where LINE reaches nobody. */
export type MailKind = OwnerNewsKind | MessageKind
export const MAIL_KINDS = [...OWNER_NEWS_KINDS, ...MESSAGE_KINDS]

export const labelOfMail = (kind: MailKind): string =>
  kind in OWNER_NEWS ? OWNER_NEWS[kind as OwnerNewsKind].title : MESSAGE[kind as MessageKind].label

/** The state of a mail. `dead` means that it was given up without being sent. */
export type MailState = 'waiting' | 'sent' | 'dead'

/** Why a mail was not sent, in words for staff. */
export const UNMAILED = {
  badAddress: 'ที่อยู่อีเมลใช้ไม่ได้',
  refused: 'ปลายทางไม่รับอีเมลนี้',
  unreachable: 'ส่งผ่านเซิร์ฟเวอร์อีเมลไม่ได้ตลอดหนึ่งวัน',
  off: 'ร้านยังไม่ได้ตั้งค่าอีเมล',
} as const satisfies Record<string, string>

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{2,63}$/i

/** Tells whether a text is one plain address that a mail server can't read as anything else. */
export const isMailAddress = (text: string): boolean => ADDRESS.test(text)
