import type { Action } from './flex.ts'

/** What a person in a chat asks the shop for, by a button or by typing. */
export type ChatAsk =
  | { ask: 'claim'; orderNo: string }
  /** `reference` null: the button was pressed, the reference is still to be typed. */
  | { ask: 'complete'; orderNo: string; reference: string | null }
  | { ask: 'status' }
  | { ask: 'code'; code: string }

const ORDER_NO = /KT\d{4}-\d{8}/
const PRESS = new RegExp(`^(claim|complete) (${ORDER_NO.source})$`)
const COMPLETE = new RegExp(`^เสร็จ\\s+(${ORDER_NO.source})\\s+(\\S.*)$`, 's')
const STATUS = /^(สถานะ|เช็ค ?สถานะ|ตรวจ ?สอบ ?สถานะ|status)$/i
const CODE = /^(?:ผูก\s*)?(\d{5})-?(\d{5})$/
/** Longer than a reference may be: not for us. */
const MOST_UNITS = 400

/** What a pressed button asks for; null for what is none of ours. */
export function readPress(data: string): ChatAsk | null {
  if (data === 'status') return { ask: 'status' }
  const [, ask, orderNo] = PRESS.exec(data) ?? []
  if (!orderNo) return null
  return ask === 'claim' ? { ask, orderNo } : { ask: 'complete', orderNo, reference: null }
}

/** What a typed text asks for; null for what people say to each other. */
export function readText(text: string): ChatAsk | null {
  const said = text.trim()
  if (said.length > MOST_UNITS) return null
  if (STATUS.test(said)) return { ask: 'status' }
  const [, orderNo, reference] = COMPLETE.exec(said) ?? []
  if (orderNo && reference) return { ask: 'complete', orderNo, reference }
  const [, first, second] = CODE.exec(said) ?? []
  return first && second ? { ask: 'code', code: first + second } : null
}

/** What staff type to complete an order, up to the reference. */
export const completeWords = (orderNo: string): string => `เสร็จ ${orderNo} `

export const claimButton = (orderNo: string): Action => ({
  type: 'postback',
  label: 'รับเรื่อง',
  data: `claim ${orderNo}`,
})

/** On phones it opens the keyboard with all but the reference typed. */
export const completeButton = (orderNo: string): Action => ({
  type: 'postback',
  label: 'เติมแล้ว…',
  data: `complete ${orderNo}`,
  inputOption: 'openKeyboard',
  fillInText: completeWords(orderNo),
})

export const statusButton = (): Action => ({
  type: 'postback',
  label: 'ดูสถานะล่าสุด',
  data: 'status',
  displayText: 'สถานะ',
})

/** A code as it is shown and typed: "48291-35702". */
export const formatCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`
