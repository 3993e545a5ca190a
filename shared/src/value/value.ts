import type { AuditSubject } from '../audit/subject.ts'
import type { Satang } from '../money.ts'
import type { Action } from '../permissions.ts'

/** Who may give a second word: any manager, or admins only. */
export type WordAction = 'value.second' | 'value.secondAdmin'

interface MoveEntry {
  /** What staff call it. */
  label: string
  /** Who may do it. */
  allow: Action
  /** Whether it is added up over the day of the person who does it. */
  counts: boolean
  /** Whose word it takes beside that of who does it, and when; null = nobody's. */
  second: { from: WordAction; when: 'always' | 'aboveDaySum' } | null
  /**
   * Whether money comes onto a wallet: who holds its owner's password or PIN, or alone told of the money, is not enough,
   * however small it is.
   */
  isForWallet: boolean
  /** Who is told in LINE; `large`: where it took a second person, or there was none. */
  tells: { whom: 'managers' | 'admins'; when: 'always' | 'large' }
}

const ofManagers = { from: 'value.second', when: 'aboveDaySum' } as const
const everyTime = { from: 'value.second', when: 'always' } as const
const ofAdmins = { from: 'value.secondAdmin', when: 'always' } as const
const toManagers = { whom: 'managers', when: 'large' } as const
const toAdmins = { whom: 'admins', when: 'always' } as const

/** What moves value without a customer's money, or opens the way to it. */
export type ValueMoveKind =
  | 'walletCredit'
  | 'topUpByWord'
  | 'refundToWallet'
  | 'refundOwed'
  | 'refundSent'
  | 'paidByHand'
  | 'fileGiven'
  | 'refundAtRisk'
  | 'redoToOther'
  | 'saleBelowCost'
  | 'guardSet'
  | 'guardLoosened'
  | 'tierLimits'
  | 'receivingAccount'
  | 'feedKey'
  | 'adminMade'
  | 'rankChanged'
  | 'totpReset'
  | 'pinReset'

/** The one table of it. */
export const VALUE_MOVE = {
  walletCredit: {
    label: 'นำเงินเข้ากระเป๋าจากรายการธนาคาร',
    allow: 'statement.match',
    counts: true,
    second: ofManagers,
    isForWallet: true,
    tells: toManagers,
  },
  topUpByWord: {
    label: 'อนุมัติเติมกระเป๋าโดยธนาคารยังไม่แสดงเงิน',
    allow: 'wallet.approve',
    counts: true,
    second: ofManagers,
    isForWallet: true,
    tells: toManagers,
  },
  refundToWallet: {
    label: 'คืนเงินเข้ากระเป๋า',
    allow: 'order.refund',
    counts: true,
    second: ofManagers,
    isForWallet: true,
    tells: toManagers,
  },
  // The money is still with the shop: it counts once somebody sends it.
  refundOwed: {
    label: 'ตั้งเงินรอคืนลูกค้า',
    allow: 'order.refund',
    counts: false,
    second: null,
    isForWallet: false,
    tells: toManagers,
  },
  refundSent: {
    label: 'โอนเงินคืนลูกค้า',
    allow: 'order.refund',
    counts: true,
    second: ofManagers,
    isForWallet: false,
    tells: toManagers,
  },
  paidByHand: {
    label: 'รับเงินคำสั่งซื้อด้วยมือ',
    allow: 'order.work',
    counts: true,
    second: ofManagers,
    isForWallet: false,
    tells: toManagers,
  },
  /** The money in that a file tells of and nothing else does; above the day's sum the file is taken and proves nothing yet. */
  fileGiven: {
    label: 'นำเข้าไฟล์ธนาคาร',
    allow: 'statement.match',
    counts: true,
    second: ofManagers,
    isForWallet: false,
    tells: toManagers,
  },
  /** Money back while the supplier may still deliver, or after it did: instead of the ordinary refund's kind. */
  refundAtRisk: {
    label: 'คืนเงินขณะผู้จำหน่ายอาจส่งของ',
    allow: 'order.refund',
    counts: true,
    second: everyTime,
    isForWallet: true,
    tells: toManagers,
  },
  redoToOther: {
    label: 'เติมใหม่ให้ผู้เล่นที่ลูกค้าไม่ได้แจ้ง',
    allow: 'order.redoToOther',
    counts: true,
    second: ofManagers,
    isForWallet: false,
    tells: { whom: 'managers', when: 'always' },
  },
  /** Its amount is what one piece loses. */
  saleBelowCost: {
    label: 'ตั้งราคาต่ำกว่าต้นทุน',
    allow: 'catalogue.manage',
    counts: false,
    second: everyTime,
    isForWallet: false,
    tells: toManagers,
  },
  guardSet: {
    label: 'เปลี่ยนการตั้งค่าที่คุ้มครองเงิน',
    allow: 'value.guard',
    counts: false,
    second: null,
    isForWallet: false,
    tells: toAdmins,
  },
  guardLoosened: {
    label: 'ผ่อนการตั้งค่าที่คุ้มครองเงิน',
    allow: 'value.guard',
    counts: false,
    second: ofAdmins,
    isForWallet: false,
    tells: toAdmins,
  },
  tierLimits: {
    label: 'เปลี่ยนวงเงินของ Tier',
    allow: 'value.guard',
    counts: false,
    second: null,
    isForWallet: false,
    tells: toAdmins,
  },
  receivingAccount: {
    label: 'เปลี่ยนบัญชีรับโอน',
    allow: 'settings.pay',
    counts: false,
    second: ofAdmins,
    isForWallet: false,
    tells: toAdmins,
  },
  feedKey: {
    label: 'สร้างคีย์รับรายการธนาคาร',
    allow: 'settings.pay',
    counts: false,
    second: ofAdmins,
    isForWallet: false,
    tells: toAdmins,
  },
  adminMade: {
    label: 'ตั้งผู้ดูแลระบบ',
    allow: 'account.edit',
    counts: false,
    second: ofAdmins,
    isForWallet: false,
    tells: toAdmins,
  },
  rankChanged: {
    label: 'เปลี่ยนบทบาทหรือสถานะของทีมงาน',
    allow: 'account.edit',
    counts: false,
    second: null,
    isForWallet: false,
    tells: toAdmins,
  },
  /** Its amount is what lies on the wallet: all that who holds the new PIN can spend. An empty wallet is none. */
  pinReset: {
    label: 'ตั้ง PIN ใหม่ให้กระเป๋าที่มีเงิน',
    allow: 'account.edit',
    counts: true,
    second: ofManagers,
    isForWallet: false,
    tells: toManagers,
  },
  totpReset: {
    label: 'ล้างแอปยืนยันตัวตน',
    allow: 'totp.reset',
    counts: false,
    second: null,
    isForWallet: false,
    tells: toAdmins,
  },
} as const satisfies Record<ValueMoveKind, MoveEntry>

export const VALUE_MOVE_KINDS = Object.keys(VALUE_MOVE) as ValueMoveKind[]

/** Older moves may be of what is no kind any more. */
export const labelOfMove = (kind: string): string =>
  Object.hasOwn(VALUE_MOVE, kind) ? VALUE_MOVE[kind as ValueMoveKind].label : kind

export const moveEntry = (kind: ValueMoveKind): MoveEntry => VALUE_MOVE[kind]

/** The kinds that are added up over a person's day. */
export const COUNTED_MOVES = VALUE_MOVE_KINDS.filter(kind => VALUE_MOVE[kind].counts)

/** What somebody is about to move. */
export interface ValueMove {
  kind: ValueMoveKind
  /** 0 where no amount says how much. */
  amountSatang: Satang
  subject: AuditSubject
  /** In words for who looks at it: from what to what, and why. */
  note: string
  /** Owner keys of whose wallet or order it is about: none of them gives the second word. */
  owners?: readonly string[]
  /** Whether nothing but the word of who moves it shows that there is money. */
  isOwnWord?: boolean
}

/** What speaks for a second person. */
export interface MoveWeight {
  /** What this person moved alone on this Bangkok day. */
  movedTodaySatang: Satang
  limitSatang: Satang
  /** Whether they made an owner's account, or gave it a password or PIN, a short while ago. */
  holdsOwner: boolean
}

/** Amounts are added up over the day of who acts, so that a large one can't be moved in small parts. */
export function needsSecondWord(
  { kind, amountSatang, isOwnWord = false }: Pick<ValueMove, 'kind' | 'amountSatang' | 'isOwnWord'>,
  weight: MoveWeight,
): boolean {
  const { second, isForWallet } = moveEntry(kind)
  if (!second) return false
  if (second.when === 'always' || (isForWallet && (weight.holdsOwner || isOwnWord))) return true
  return weight.movedTodaySatang + amountSatang > weight.limitSatang
}

/** What became of the question for a second word. */
export const WORD_STATES = {
  waiting: 'รอยืนยัน',
  given: 'ยืนยันแล้ว',
  refused: 'ไม่ยืนยัน',
  withdrawn: 'ผู้ขอยกเลิก',
  stale: 'ข้อมูลเปลี่ยนไปแล้ว',
  expired: 'หมดเวลา',
} as const satisfies Record<string, string>
export type WordState = keyof typeof WORD_STATES

/** How long a question for a second word waits, and how long one that was given may be used. */
export const WORD_SECONDS = 24 * 3600
/** How long who gave somebody a rank is no second person for them, nor they for who gave it. */
export const RANK_TIE_SECONDS = 14 * 24 * 3600
/** How long who lost a right counts as there: taking it away makes nobody the only one. */
export const LOST_RIGHT_SECONDS = 72 * 3600

/** Who would give a second word, with what ties them to who asked. */
export interface WordGiver {
  uid: string
  /** Whether their role may. */
  isAllowed: boolean
  keys: readonly string[]
  /** Whether one of the two reset the other's password, PIN or app, or gave them their rank, a short while ago. */
  isTied: boolean
  /** Whether they hold an owner's password or PIN. */
  holdsOwner: boolean
}

/** Why somebody can't give the word, in words that end a sentence; null when they can. */
export function wordBarrier(
  word: { askedBy: string; owners: readonly string[] },
  { uid, isAllowed, keys, isTied, holdsOwner }: WordGiver,
): string | null {
  if (word.askedBy === uid) return 'เพราะเป็นรายการที่คุณขอเอง'
  if (!isAllowed) return 'เพราะบทบาทของคุณไม่มีสิทธิ์'
  if (word.owners.some(owner => keys.includes(owner))) return 'เพราะเป็นกระเป๋าเงินหรือคำสั่งซื้อของคุณ'
  if (isTied) return 'เพราะคุณกับผู้ขอเพิ่งตั้งรหัสผ่าน PIN หรือบทบาทให้กัน'
  if (holdsOwner) return 'เพราะคุณเพิ่งสร้างบัญชี หรือตั้งรหัสผ่านหรือ PIN ให้เจ้าของกระเป๋า'
  return null
}
