import type { Action } from './flex.ts'

/** A request of a person in a chat, by a button or by typing. */
export type ChatAsk =
  | { ask: 'claim'; orderNo: string }
  /** `reference` is null when only the button was pressed and the reference is still to be typed. */
  | { ask: 'complete'; orderNo: string; reference: string | null }
  | { ask: 'status' }
  | { ask: 'code'; code: string }

const ORDER_NO = /KT\d{4}-\d{8}/
const PRESS = new RegExp(`^(claim|complete) (${ORDER_NO.source})$`)
const COMPLETE = new RegExp(`^เสร็จ\\s+(${ORDER_NO.source})\\s+(\\S.*)$`, 's')
const STATUS = /^(สถานะ|เช็ค ?สถานะ|ตรวจ ?สอบ ?สถานะ|status)$/i
const CODE = /^(?:ผูก\s*)?(\d{5})-?(\d{5})$/
/** A longer text is not meant for us. */
const MOST_UNITS = 400

/** Reads the request of a pressed button; null when it is not one of ours. */
export function readPress(data: string): ChatAsk | null {
  if (data === 'status') return { ask: 'status' }
  const [, ask, orderNo] = PRESS.exec(data) ?? []
  if (!orderNo) return null
  return ask === 'claim' ? { ask, orderNo } : { ask: 'complete', orderNo, reference: null }
}

/** Reads the request in a typed text; null for ordinary conversation. */
export function readText(text: string): ChatAsk | null {
  const said = text.trim()
  if (said.length > MOST_UNITS) return null
  if (STATUS.test(said)) return { ask: 'status' }
  const [, orderNo, reference] = COMPLETE.exec(said) ?? []
  if (orderNo && reference) return { ask: 'complete', orderNo, reference }
  const [, first, second] = CODE.exec(said) ?? []
  return first && second ? { ask: 'code', code: first + second } : null
}

/** Returns what staff type to complete an order, up to the reference. */
export const completeWords = (orderNo: string): string => `เสร็จ ${orderNo} `

export const claimButton = (orderNo: string): Action => ({
  type: 'postback',
  label: 'รับเรื่อง',
  data: `claim ${orderNo}`,
})

/** On phones this button opens the keyboard with everything typed except the reference. */
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

/** Formats a code for display and typing: "48291-35702". */
export const formatCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`
