import { formatPinLockEnd, type PinLock } from '../account/pin.ts'
import { BACKLOG, type BacklogKind } from '../backlog/backlog.ts'
import { PAYMENT_METHOD } from '../catalogue/payment-method.ts'
import { formatBaht } from '../money.ts'
import type { Role } from '../permissions.ts'
import { STAFF_PAGE } from '../staff-pages.ts'
import { formatClock, formatShort } from '../time.ts'
import type { TopUpPayment } from '../wallet/top-up.ts'
import { type ChatRoom, linkWarning } from './chat.ts'
import { type Card, card, type LineMessage, link, words } from './flex.ts'
import type { ChatLinks } from './links.ts'
import { ageOf } from './order-messages.ts'
import { TROUBLE, type TroubleKind } from './trouble.ts'

/** A wallet's top-up with the facts that messages show. */
export interface ToldTopUp {
  no: string
  agentName: string
  amountSatang: number
  balanceSatang: number
  createdAt: Date
  hasSlip: boolean
  payment: TopUpPayment
  reason: string | null
}

const NOT_ME = 'ถ้าคุณไม่ได้กรอกเอง แปลว่ามีคนอื่นเข้าบัญชีของคุณอยู่ กรุณาเปลี่ยนรหัสผ่าน และติดต่อร้านทันที เงินในกระเป๋ายังใช้ไม่ได้ถ้าไม่มี PIN'

const baht = (satang: number): string => `${formatBaht(satang)} บาท`

/** For managers: a request waits for approval. */
export const topUpEntered = ({ topUp }: { topUp: ToldTopUp }, links: ChatLinks): Card => ({
  tone: 'accent',
  over: 'ขอเติมกระเป๋าเงิน',
  title: topUp.agentName,
  facts: [
    { label: 'ยอดที่ขอ', value: baht(topUp.amountSatang), isMain: true },
    { label: 'ยอดคงเหลือ', value: baht(topUp.balanceSatang) },
    { label: 'สลิป', value: topUp.hasSlip ? 'แนบแล้ว' : 'ยังไม่แนบ' },
    { label: 'ส่งเมื่อ', value: formatShort(topUp.createdAt) },
    { label: 'เลขที่', value: topUp.no },
  ],
  actions: [link('ตรวจสลิปและอนุมัติ', links.admin(STAFF_PAGE.wallet.path))],
  alt: `ขอเติมกระเป๋าเงิน ${topUp.agentName} ${baht(topUp.amountSatang)}`,
})

/** For the agent: the money is on the wallet. */
export const topUpApproved = ({ topUp }: { topUp: ToldTopUp }, links: ChatLinks): LineMessage =>
  card({
    tone: 'ok',
    over: 'เติมกระเป๋าเงินแล้ว',
    title: baht(topUp.amountSatang),
    facts: [
      { label: 'ยอดคงเหลือ', value: baht(topUp.balanceSatang), isMain: true },
      { label: 'ชำระด้วย', value: PAYMENT_METHOD[topUp.payment].name },
      { label: 'เลขที่', value: topUp.no },
    ],
    actions: [link('เปิดกระเป๋าเงิน', links.shop('/wallet'))],
    alt: `เติมกระเป๋าเงินแล้ว ${baht(topUp.amountSatang)} คงเหลือ ${baht(topUp.balanceSatang)}`,
  })

/** For the agent: the request was rejected, with the reason. */
export const topUpRejected = ({ topUp }: { topUp: ToldTopUp }, links: ChatLinks): LineMessage =>
  card({
    tone: 'bad',
    over: 'ไม่อนุมัติการเติมกระเป๋าเงิน',
    title: baht(topUp.amountSatang),
    facts: [
      { label: 'เหตุผล', value: topUp.reason ?? 'กรุณาติดต่อร้าน' },
      { label: 'เลขที่', value: topUp.no },
    ],
    note: 'ส่งคำขอใหม่พร้อมสลิปที่ถูกต้องได้ในหน้ากระเป๋าเงิน',
    actions: [link('เปิดกระเป๋าเงิน', links.shop('/wallet'))],
    alt: `ไม่อนุมัติการเติมกระเป๋าเงิน ${baht(topUp.amountSatang)}`,
  })

/** For the owner: wrong PINs, perhaps typed by somebody else, locked the wallet. */
export const pinLocked = ({ lock }: { lock: PinLock }, links: ChatLinks): LineMessage => {
  const end = lock.until && formatPinLockEnd(lock.until, lock.at)
  return card({
    tone: 'warn',
    over: 'กระเป๋าเงิน',
    title: 'PIN ถูกล็อก เพราะกรอกผิดหลายครั้ง',
    facts: [
      { label: 'ล็อกเมื่อ', value: formatShort(lock.at) },
      { label: 'ใช้ได้อีกครั้ง', value: end ?? 'เมื่อร้านตั้ง PIN ใหม่ให้ กรุณาติดต่อร้าน' },
    ],
    note: NOT_ME,
    actions: [link('เปิดกระเป๋าเงิน', links.shop('/wallet'))],
    alt: `PIN กระเป๋าเงินถูกล็อกเมื่อ ${formatShort(lock.at)} ถ้าไม่ใช่คุณ กรุณาติดต่อร้านทันที`,
  })
}

/** For managers, once each time that the trouble begins. */
export const trouble = ({ kind, detail }: { kind: TroubleKind; detail: string }, links: ChatLinks): Card => {
  const { title, advice, page } = TROUBLE[kind]
  return {
    tone: 'bad',
    over: 'ต้องให้ผู้จัดการดู',
    title,
    note: advice,
    facts: [{ label: 'รายละเอียด', value: detail }],
    actions: [link(`เปิด${STAFF_PAGE[page].title}`, links.admin(STAFF_PAGE[page].path))],
    alt: `${title} ${detail}`,
  }
}

/** A movement of value, done or asked for, with the facts that messages show. */
export interface ToldMove {
  label: string
  amountSatang: number
  subjectName: string | null
  note: string
  byName: string
  at: Date
}

const factsOfMove = ({ amountSatang, subjectName, note, byName }: ToldMove) => [
  { label: 'โดย', value: byName },
  ...(amountSatang > 0 ? [{ label: 'จำนวนเงิน', value: baht(amountSatang), isMain: true }] : []),
  ...(subjectName ? [{ label: 'เรื่อง', value: subjectName }] : []),
  { label: 'รายละเอียด', value: note },
]

/** A second person who is tied to the first was the only one available. */
const secondOf = (name: string | null, isAlone: boolean): string =>
  [name ?? 'ไม่มี', ...(isAlone ? ['เพราะร้านไม่มีคนอื่นที่มีสิทธิ์'] : [])].join(' ')

/** For managers or each admin: what one person did, and who was the second person. */
export const valueMoved = (
  { move, secondName, isAlone }: { move: ToldMove; secondName: string | null; isAlone: boolean },
  links: ChatLinks,
): Card => ({
  tone: 'warn',
  over: 'การเคลื่อนย้ายมูลค่า',
  title: move.label,
  facts: [
    ...factsOfMove(move),
    ...(secondName || isAlone ? [{ label: 'คนที่สอง', value: secondOf(secondName, isAlone) }] : []),
    { label: 'เมื่อ', value: formatShort(move.at) },
  ],
  actions: [link(`เปิด${STAFF_PAGE.valueMoves.title}`, links.admin(STAFF_PAGE.valueMoves.path))],
  alt: `${move.label} โดย ${move.byName} ${move.note}`,
})

/** For those who are asked for the second person's agreement. */
export const secondWordNeeded = ({ move }: { move: ToldMove }, links: ChatLinks): Card => ({
  tone: 'accent',
  over: 'รอคนที่สองยืนยัน',
  title: move.label,
  facts: [...factsOfMove(move), { label: 'ขอเมื่อ', value: formatShort(move.at) }],
  note: 'รายการนี้ยังไม่เกิดขึ้น จนกว่าคนอื่นที่มีสิทธิ์จะตรวจและยืนยันภายใน 24 ชั่วโมง',
  actions: [link('ตรวจและยืนยัน', links.admin(STAFF_PAGE.secondWords.path))],
  alt: `รอคนที่สองยืนยัน ${move.label} โดย ${move.byName}`,
})

/** For managers: orders are paid by a file that a second person must check. */
export const fileWaits = ({ move }: { move: ToldMove }, links: ChatLinks): Card => ({
  tone: 'accent',
  over: 'รอคนที่สองยืนยัน',
  title: 'ไฟล์ธนาคาร',
  facts: [...factsOfMove(move), { label: 'นำเข้าเมื่อ', value: formatShort(move.at) }],
  note: 'คำสั่งซื้อที่จ่ายด้วยรายการในไฟล์นี้จะยังไม่ถูกส่งให้ผู้จำหน่าย จนกว่าผู้จัดการคนอื่นจะเทียบไฟล์กับบัญชีธนาคารแล้วยืนยัน',
  actions: [link('ตรวจและยืนยันไฟล์', links.admin(STAFF_PAGE.statement.path))],
  alt: `ไฟล์ธนาคารรอคนที่สองยืนยัน โดย ${move.byName}`,
})

/** Waiting work: of each kind how many and since when. */
interface ToldBacklog {
  kind: BacklogKind
  count: number
  oldest: Date | null
}

/** The sum that one person moved, over all wallets and orders. */
export interface ToldMover {
  name: string
  count: number
  sumSatang: number
}

/** Of more people only the number is shown. */
const MOST_MOVERS = 10

const wordsOfMover = ({ count, sumSatang }: ToldMover): string =>
  [`${count.toLocaleString('en-US')} รายการ`, ...(sumSatang > 0 ? [baht(sumSatang)] : [])].join(' ')

function factsOfMovers(movers: readonly ToldMover[]) {
  const more = movers.length - MOST_MOVERS
  return [
    ...movers.slice(0, MOST_MOVERS).map(mover => ({ label: mover.name, value: wordsOfMover(mover) })),
    ...(more > 0 ? [{ label: 'คนอื่น', value: `${more.toLocaleString('en-US')} คน` }] : []),
  ]
}

/** For managers, every evening on which somebody moved something: the movements that had no message of their own. */
export const movesOfDay = ({ movers, now }: { movers: readonly ToldMover[]; now: Date }, links: ChatLinks): Card => ({
  tone: 'warn',
  over: `สรุป ${formatShort(now)}`,
  title: 'การเคลื่อนย้ายมูลค่าใน 24 ชั่วโมง',
  facts: factsOfMovers(movers),
  note: 'รวมทุกรายการที่คนในร้านนำเข้า คืน หรือรับรองยอดเงิน แม้ยอดเล็ก ดูทีละรายการได้ในหน้านี้สำหรับผู้ดูแลระบบ',
  actions: [link(`เปิด${STAFF_PAGE.valueMoves.title}`, links.admin(STAFF_PAGE.valueMoves.path))],
  alt: `การเคลื่อนย้ายมูลค่าใน 24 ชั่วโมง ${movers
    .slice(0, MOST_MOVERS)
    .map(mover => `${mover.name} ${wordsOfMover(mover)}`)
    .join(' · ')}`,
})

export interface ToldDigest {
  waiting: readonly ToldBacklog[]
  troubles: readonly TroubleKind[]
  /** Who moved what since the previous digest. */
  movers: readonly ToldMover[]
  now: Date
}

/** For a room, in place of single messages during quiet hours. */
export function digest({ waiting, troubles, movers, now }: ToldDigest, links: ChatLinks): Card {
  const [first] = waiting
  const page = STAFF_PAGE[first ? BACKLOG[first.kind].page : 'backlog']
  const counted = waiting.map(({ kind, count }) => `${BACKLOG[kind].title} ${count}`)
  return {
    tone: troubles.length > 0 ? 'bad' : 'warn',
    over: `สรุป ${formatClock(now)}`,
    title: 'มีงานรอทำ',
    facts: [
      ...waiting.map(({ kind, count, oldest }) => ({
        label: BACKLOG[kind].title,
        value: `${count.toLocaleString('en-US')} รายการ${oldest ? ` เก่าสุด ${ageOf(oldest, now)}` : ''}`,
      })),
      ...troubles.map(kind => ({ label: 'ต้องดู', value: TROUBLE[kind].title })),
      ...factsOfMovers(movers).map(({ label, value }) => ({ label: `${label} เคลื่อนย้ายมูลค่า`, value })),
    ],
    actions: [link(`เปิด${page.title}`, links.admin(page.path))],
    alt: `มีงานรอทำ ${[
      ...counted,
      ...troubles.map(kind => TROUBLE[kind].title),
      ...movers.slice(0, MOST_MOVERS).map(mover => `${mover.name} ${wordsOfMover(mover)}`),
    ].join(' · ')}`,
  }
}

const ROOM_WORDS: Record<ChatRoom, string> = {
  staff: 'คำสั่งซื้อที่รอเติมจะแจ้งในกลุ่มนี้ สมาชิกที่เชื่อมบัญชี LINE กับบัญชีทีมงานแล้วกดรับเรื่องได้ทันที',
  managers: 'คำขอเติมกระเป๋าเงินและเรื่องที่ต้องให้ผู้จัดการดูจะแจ้งในกลุ่มนี้',
}

/** The reply to a right code. */
export const codeAccepted = (
  accepted: { purpose: 'person'; name: string; role: Role } | { purpose: ChatRoom; name: string },
): LineMessage =>
  words(
    accepted.purpose === 'person'
      ? `เชื่อม LINE นี้กับบัญชี ${accepted.name} แล้ว กดรับเรื่องจากแชทได้เลย\n${linkWarning(accepted.role)}`
      : `ผูกกลุ่มนี้กับร้านแล้ว ${ROOM_WORDS[accepted.purpose]}`,
  )

/** The reply to a code that can't be used here. */
export const codeRefused = ({ why }: { why: string }): LineMessage => words(why)

/** The reply in a group that the shop was removed from and invited to again: it is not bound any more. */
export const roomLost = (_: object, links: ChatLinks): LineMessage =>
  words('กลุ่มนี้ยังไม่ได้ผูกกับร้านใหม่หลังจากร้านถูกนำออก ปุ่มในกลุ่มจึงยังใช้ไม่ได้ ให้ผู้จัดการสร้างรหัสในหลังร้าน แล้วพิมพ์ที่นี่', [
    link('เปิดหลังร้าน', links.admin(STAFF_PAGE.chat.path)),
  ])

/** The reply to somebody who is not, or not known to be, a member of the staff. */
export const notStaff = (_: object, links: ChatLinks): LineMessage =>
  card({
    tone: 'warn',
    title: 'ยังไม่ได้เชื่อม LINE กับบัญชีทีมงาน',
    facts: [],
    note: 'เปิดหน้าการแจ้งเตือน LINE ในหลังร้าน กดเชื่อม LINE ของฉัน แล้วส่งรหัสที่ได้ให้ร้านในแชทส่วนตัว',
    actions: [link('เปิดหลังร้าน', links.admin(STAFF_PAGE.chat.path))],
    alt: 'ยังไม่ได้เชื่อม LINE กับบัญชีทีมงาน',
  })
