import { keysOf } from '../table.ts'

/** Rules for telling agents' machines about events, as Standard Webhooks 1.0.0 says. */

/** The events, in words for their receivers. */
export const WEBHOOK_EVENT = {
  'order.processing': 'An order is being delivered',
  'order.on_hold': 'An order could not be delivered; the shop tries again or gives the money back',
  'order.completed': 'An order is delivered, or as much of it as came',
  'order.failed': 'An order is not delivered and all its money is back in the wallet',
  'order.canceled': 'An order was canceled and its money is back in the wallet',
  'wallet.credited': 'Money came into the wallet: a top-up, a refund or a correction',
  'wallet.debited': 'Money left the wallet other than for an order',
  'endpoint.test': 'You asked for a test',
} as const satisfies Record<string, string>
export type WebhookEvent = keyof typeof WEBHOOK_EVENT
export const WEBHOOK_EVENTS = keysOf(WEBHOOK_EVENT)

/** The events that an endpoint may do without, in words for its owner. A test is always sent. */
export const CHOSEN_EVENT = {
  'order.processing': { label: 'เริ่มเติมคำสั่งซื้อ' },
  'order.on_hold': { label: 'เติมไม่สำเร็จ ร้านกำลังจัดการ' },
  'order.completed': { label: 'เติมสำเร็จ' },
  'order.failed': { label: 'เติมไม่ได้ คืนเงินแล้ว' },
  'order.canceled': { label: 'ยกเลิก คืนเงินแล้ว' },
  'wallet.credited': { label: 'เงินเข้ากระเป๋า' },
  'wallet.debited': { label: 'เงินออกจากกระเป๋า นอกจากสั่งซื้อ' },
} as const satisfies Record<Exclude<WebhookEvent, 'endpoint.test'>, { label: string }>
export type ChosenEvent = keyof typeof CHOSEN_EVENT
export const CHOSEN_EVENTS = keysOf(CHOSEN_EVENT)

/** An agent has at most so many endpoints of a mode. */
export const MOST_WEBHOOKS = 3
/** After a new secret was made, deliveries are signed with both for so long. */
export const OLD_SECRET_SECONDS = 86_400

/** What became of a message. */
export const MESSAGE_STATE = {
  waiting: { label: 'รอส่ง' },
  done: { label: 'ส่งแล้ว' },
  dead: { label: 'เลิกส่ง' },
} as const satisfies Record<string, { label: string }>
export type MessageState = keyof typeof MESSAGE_STATE
export const MESSAGE_STATES = keysOf(MESSAGE_STATE)

/** Why nothing is sent to an endpoint. */
export const WEBHOOK_OFF = {
  owner: { label: 'เจ้าของปิดไว้' },
  gone: { label: 'ปลายทางตอบว่าเลิกรับ (410)' },
  failing: { label: 'ส่งไม่สำเร็จติดต่อกันนานเกินไป' },
} as const satisfies Record<string, { label: string }>
export type WebhookOff = keyof typeof WEBHOOK_OFF
export const WEBHOOK_OFFS = keysOf(WEBHOOK_OFF)

/** Why nothing came of a try, or why an address is refused. */
export const DELIVERY_ERROR = {
  not_an_address: { label: 'อ่านเป็นที่อยู่เว็บไม่ได้' },
  not_https: { label: 'ต้องขึ้นต้นด้วย https://' },
  has_port: { label: 'ใช้ได้เฉพาะพอร์ต 443' },
  has_login: { label: 'ต้องไม่มีชื่อผู้ใช้หรือรหัสผ่านในที่อยู่' },
  has_fragment: { label: 'ต้องไม่มีเครื่องหมาย #' },
  not_found: { label: 'หาเครื่องตามชื่อนี้ไม่พบ' },
  not_public: { label: 'ชี้ไปยังเครือข่ายภายใน ต้องเป็นที่อยู่สาธารณะ' },
  unreachable: { label: 'ต่อกับเครื่องนี้ไม่ได้' },
  no_tls: { label: 'ใบรับรอง HTTPS ใช้ไม่ได้' },
  broken: { label: 'การเชื่อมต่อขาดก่อนตอบครบ' },
  too_slow: { label: 'ตอบไม่ครบภายใน 15 วินาที' },
} as const satisfies Record<string, { label: string }>
export type DeliveryError = keyof typeof DELIVERY_ERROR

const isDeliveryError = (word: string): word is DeliveryError => Object.hasOwn(DELIVERY_ERROR, word)

/** Returns why a delivery failed, for people; words of an earlier version stay as they are. */
export const deliveryErrorText = (word: string): string => (isDeliveryError(word) ? DELIVERY_ERROR[word].label : word)

/** The seconds from one try of a message to the next, before jitter; after the last the endpoint is switched off. */
export const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Where nothing arrives for so long, nothing is sent any more. */
export const MOST_FAILING_SECONDS = RETRY_SECONDS.reduce<number>((sum, seconds) => sum + seconds, 0)

/** A receiver that fails rests for as long as it has been failing, within these bounds. */
const REST_SECONDS = { least: 5, most: 1800 }
/** Nobody is waited for longer than a day, whatever they ask for. */
const MOST_ASKED_SECONDS = 86_400

/** A tenth more or less, so that not all come back at the same moment. `draw` is a random number in [0, 1). */
const jittered = (seconds: number, draw: number): number => Math.round(seconds * (0.9 + draw * 0.2))

/**
 * Returns after how many seconds a message is tried again; null when it was tried often enough.
 * @param tries how often it was tried, at least once
 * @param status the answer's HTTP status; null when there was none. 429, 502 and 504 ask for patience.
 */
export function retryAfter(tries: number, status: number | null, draw: number): number | null {
  const step = RETRY_SECONDS[tries - 1]
  if (step === undefined) return null
  const isBusy = status === 429 || status === 502 || status === 504
  const patient = isBusy ? Math.max(step, RETRY_SECONDS[1]) : step
  return jittered(patient, draw)
}

/**
 * Returns for how many seconds nothing is sent to an endpoint after a failure.
 * @param failingSeconds for how long it has been failing
 */
export const restAfter = (failingSeconds: number): number =>
  Math.min(Math.max(failingSeconds, REST_SECONDS.least), REST_SECONDS.most)

/**
 * Returns for how many seconds an answer asks us to stay away, up to a day; 0 when it does not.
 * @param retryAfter its header `Retry-After`: seconds or a date
 */
export function askedPause(status: number | null, retryAfter: string | null, now: Date): number {
  if ((status !== 429 && status !== 503) || retryAfter === null) return 0
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, Math.ceil(seconds)), MOST_ASKED_SECONDS)
}
