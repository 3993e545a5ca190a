import type { Action } from './flex.ts'

/** A request of a person in a chat, by a button or by typing. */
export type ChatAsk =
  /** `redone` is how often the order was redone when its card was made; null when it was typed. */
  | { ask: 'claim'; orderNo: string; redone: number | null }
  /** `reference` is null when it is still to be typed; it may be longer than the shop takes. */
  | { ask: 'complete'; orderNo: string; reference: string | null; redone: number | null }
  /** One of these with only the last digits of an order's number: which one is asked back. */
  | { ask: 'which'; digits: string; of: { ask: 'claim' } | { ask: 'complete'; reference: string | null } }
  | { ask: 'status'; orderNo: string | null }
  | { ask: 'code'; code: string }

const ORDER_NO = /KT\d{4}-\d{8}/
const PRESS = new RegExp(`^(claim|complete) (${ORDER_NO.source})(?: (\\d{1,4}))?$`)
/** Politeness and punctuation around an order's number, as people type them. */
const POLITE = '(?:แล้ว|นะ|คะ|ค่ะ|คับ|ครับ|จ้า|จ้ะ|[\\s:.,·-])*'
const COMPLETE = new RegExp(`^(?:เติม)?(?:เสร็จ|สำเร็จ|done)${POLITE}(${ORDER_NO.source})[\\s:,]*(.*)$`, 'isu')
const CLAIM = new RegExp(`^(?:รับเรื่อง|รับงาน|รับ)${POLITE}(${ORDER_NO.source})${POLITE}$`, 'iu')
/** The end of an order's number, or all of it written otherwise: "09491283", "KT2611 09491283". */
const DIGITS = '(?:KT[\\s–—-]*\\d{4}[\\s–—-]*|KT[\\s–—-]*|\\d{4}[\\s–—-]+)?(\\d{5,8})(?!\\d)'
const HALF_COMPLETE = new RegExp(`^(?:เติม)?(?:เสร็จ|สำเร็จ|done)${POLITE}${DIGITS}(?:[\\s:,]+(.*))?$`, 'isu')
const HALF_CLAIM = new RegExp(`^(?:รับเรื่อง|รับงาน|รับ)${POLITE}${DIGITS}${POLITE}$`, 'iu')
const STATUS = /สถานะ|ถึงไหน(?:แล้ว)?|\bstatus\b/iu
/** Digits alone may be a telephone number or a player. */
const CODE = /^(?:ผูก\s*(\d{5})[\s-]?(\d{5})|(\d{5})-(\d{5}))$/u
/** A longer text is a conversation, not a question. */
const MOST_OF_QUESTION = 60

/** Reads the request of a pressed button; null when it is not one of ours. */
export function readPress(data: string): ChatAsk | null {
  if (data === 'status') return { ask: 'status', orderNo: null }
  const [, ask, orderNo, redone] = PRESS.exec(data) ?? []
  if (!orderNo) return null
  const of = { orderNo, redone: Number(redone ?? 0) }
  return ask === 'claim' ? { ask, ...of } : { ask: 'complete', ...of, reference: null }
}

/** Breaks in a reference come from the phone's keyboard. */
const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** The longest text that is kept; a reference may be no longer than a part of it, and its sender is told. */
const MOST_KEPT = 400

const kept = (reference: string): string | null => oneLine(reference).slice(0, MOST_KEPT) || null

function readHalf(said: string): ChatAsk | null {
  const [, done, reference = ''] = HALF_COMPLETE.exec(said) ?? []
  if (done) return { ask: 'which', digits: done, of: { ask: 'complete', reference: kept(reference) } }
  const [, taken] = HALF_CLAIM.exec(said) ?? []
  return taken ? { ask: 'which', digits: taken, of: { ask: 'claim' } } : null
}

/** Reads the request in a typed text; null for ordinary conversation. */
export function readText(text: string): ChatAsk | null {
  const said = text.normalize('NFC').trim()
  const [, done, reference = ''] = COMPLETE.exec(said) ?? []
  if (done) return { ask: 'complete', orderNo: done.toUpperCase(), reference: kept(reference), redone: null }
  const [, taken] = CLAIM.exec(said) ?? []
  if (taken) return { ask: 'claim', orderNo: taken.toUpperCase(), redone: null }
  const half = readHalf(said)
  if (half) return half
  const code = CODE.exec(said)?.slice(1).filter(Boolean).join('')
  if (code) return { ask: 'code', code }
  if (said.length > MOST_OF_QUESTION || !STATUS.test(said)) return null
  return { ask: 'status', orderNo: said.match(new RegExp(ORDER_NO, 'i'))?.[0].toUpperCase() ?? null }
}

/** Returns what staff type to complete an order, up to the reference. */
export const completeWords = (orderNo: string): string => `เสร็จ ${orderNo} `

/** Returns what staff type for the order that they meant by a part of its number. */
export const wordsOfWhich = ({ of }: Extract<ChatAsk, { ask: 'which' }>, orderNo: string): string =>
  of.ask === 'claim' ? `รับเรื่อง ${orderNo}` : `${completeWords(orderNo)}${of.reference ?? 'AB-1234'}`

/** An order as its card shows it: whoever presses that card's button later means this. */
interface Shown {
  orderNo: string
  redone: number
}

export const claimButton = ({ orderNo, redone }: Shown): Action => ({
  type: 'postback',
  label: 'รับเรื่อง',
  data: `claim ${orderNo} ${redone}`,
})

/** On phones this button opens the keyboard with everything typed except the reference. */
export const completeButton = ({ orderNo, redone }: Shown): Action => ({
  type: 'postback',
  label: 'เติมแล้ว…',
  data: `complete ${orderNo} ${redone}`,
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
