/** How far a mail of the shop is. `dead` ended without being sent. */
export type MailState = 'waiting' | 'sent' | 'dead'

/** Why a mail was not sent, in words for staff. */
export const UNMAILED = {
  badAddress: 'ที่อยู่อีเมลใช้ไม่ได้',
  refused: 'ปลายทางไม่รับอีเมลนี้',
  unreachable: 'ส่งผ่านเซิร์ฟเวอร์อีเมลไม่ได้ตลอดหนึ่งวัน',
  off: 'ร้านยังไม่ได้ตั้งค่าอีเมล',
} as const satisfies Record<string, string>

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{2,63}$/i

/** Whether a text is one plain address, and nothing that a mail server could read as more. */
export const isMailAddress = (text: string): boolean => ADDRESS.test(text)
