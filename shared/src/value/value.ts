import type { AuditSubject } from '../audit/subject.ts'
import type { Satang } from '../money.ts'
import type { Action } from '../permissions.ts'
import { isKeyOf, keysOf } from '../table.ts'

/** Who may be the second person: any manager, or admins only. */
export type WordAction = 'value.second' | 'value.secondAdmin'

interface MoveEntry {
  /** Its name for staff. */
  label: string
  /** The permission to do it. */
  allow: Action
  /** Whether its amount counts towards the day's sum of the person who does it. */
  counts: boolean
  /** Who must agree as the second person, and when; null means that nobody must. */
  second: { from: WordAction; when: 'always' | 'aboveDaySum' } | null
  /**
   * Whether money comes onto a wallet. Then somebody who knows its owner's password or PIN, or is the only source for
   * the money, always needs a second person.
   */
  isForWallet: boolean
  /** Whether it can happen to one thing only once: other questions about that thing are over then. */
  isOnce: boolean
  /**
   * Who is told; `large` means only when it needed a second person. `asNews`: each of them gets it as news of their own
   * account, from the transaction of the change, because who is told is what changes (see account/rank.ts).
   */
  tells: { whom: 'managers' | 'admins'; when: 'always' | 'large' | 'asNews' }
}

const ofManagers = { from: 'value.second', when: 'aboveDaySum' } as const
const everyTime = { from: 'value.second', when: 'always' } as const
const ofAdmins = { from: 'value.secondAdmin', when: 'always' } as const
const toManagers = { whom: 'managers', when: 'large' } as const
const toAdmins = { whom: 'admins', when: 'always' } as const
/** Money that one person may move alone up to the day's limit. */
const daily = { counts: true, second: ofManagers, isForWallet: false, isOnce: false, tells: toManagers } as const
const dailyOnce = { ...daily, isOnce: true } as const
const onceForWallet = { ...dailyOnce, isForWallet: true } as const
/** Something without an amount that admins are told of each time, and that needs no second person. */
const watched = { counts: false, second: null, isForWallet: false, isOnce: false, tells: toAdmins } as const
const byTwoAdmins = { ...watched, second: ofAdmins } as const
const ofRanks = { ...watched, tells: { whom: 'admins', when: 'asNews' } } as const

/**
 * The table of all kinds of movements of value without a customer's money, and of changes that make such movements
 * possible.
 */
export const VALUE_MOVE = {
  walletCredit: { label: 'นำเงินเข้ากระเป๋าจากรายการธนาคาร', allow: 'statement.match', ...onceForWallet },
  topUpByWord: { label: 'อนุมัติเติมกระเป๋าโดยธนาคารยังไม่แสดงเงิน', allow: 'wallet.approve', ...onceForWallet },
  refundToWallet: { label: 'คืนเงินเข้ากระเป๋า', allow: 'order.refund', ...onceForWallet },
  /** The money is still with the shop; it counts when somebody sends it. */
  refundOwed: { label: 'ตั้งเงินรอคืนลูกค้า', allow: 'order.refund', ...dailyOnce, counts: false, second: null },
  /** What somebody made owed and its owner took as shop credit; a second person pays what is above the day's sum. */
  refundToCredit: { label: 'คืนเงินเป็นเครดิตร้าน', allow: 'order.refund', ...onceForWallet },
  refundSent: { label: 'โอนเงินคืนลูกค้า', allow: 'order.refund', ...dailyOnce },
  /** The word comes before the money goes; it counts when somebody sends it. */
  refundElsewhere: {
    label: 'คืนเงินไปบัญชีที่ไม่ใช่บัญชีที่โอนมา',
    allow: 'order.refund',
    ...daily,
    counts: false,
    second: everyTime,
    tells: { whom: 'managers', when: 'always' },
  },
  paidByHand: { label: 'รับเงินคำสั่งซื้อด้วยมือ', allow: 'order.work', ...dailyOnce },
  /** Incoming money that only this file reports. Above the day's sum the file is accepted but proves nothing yet. */
  fileGiven: { label: 'นำเข้าไฟล์ธนาคาร', allow: 'statement.match', ...daily },
  /** A refund while the supplier may still deliver, or after it did; it replaces the ordinary refund's kind. */
  refundAtRisk: { label: 'คืนเงินขณะผู้จำหน่ายอาจส่งของ', allow: 'order.refund', ...onceForWallet, second: everyTime },
  redoToOther: {
    label: 'เติมใหม่ให้ผู้เล่นที่ลูกค้าไม่ได้แจ้ง',
    allow: 'order.redoToOther',
    ...dailyOnce,
    tells: { whom: 'managers', when: 'always' },
  },
  /** Its amount is what was paid for the piece, or what the new code cost if that is more: nobody pays for that one. */
  codeReplaced: {
    label: 'เปลี่ยนรหัสให้ลูกค้า',
    allow: 'order.work',
    ...daily,
    tells: { whom: 'managers', when: 'always' },
  },
  /**
   * The same once the code may have been used: somebody has looked at it, or its piece was replaced before. It takes
   * evidence.
   */
  codeReplacedAgain: {
    label: 'เปลี่ยนรหัสที่ดูแล้วหรือเคยเปลี่ยนแล้ว',
    allow: 'order.work',
    ...daily,
    second: everyTime,
    tells: { whom: 'managers', when: 'always' },
  },
  /** Whoever has seen a code can use it. Its amount is what the code cost. */
  codeSeen: { label: 'ดูรหัสทั้งหมด', allow: 'voucher.see', ...daily, tells: toAdmins },
  /** Its amount is the loss with one piece. */
  saleBelowCost: { label: 'ตั้งราคาต่ำกว่าต้นทุน', allow: 'catalogue.manage', ...daily, counts: false, second: everyTime },
  /** Suppliers' prices count as less by it, so the shop may buy for more than it is paid. */
  rateLowered: { label: 'ลดอัตราแลกเปลี่ยน', allow: 'supplier.manage', ...daily, counts: false, second: everyTime },
  guardSet: { label: 'เปลี่ยนการตั้งค่าที่คุ้มครองเงิน', allow: 'value.guard', ...watched },
  guardLoosened: { label: 'ผ่อนการตั้งค่าที่คุ้มครองเงิน', allow: 'value.guard', ...byTwoAdmins },
  tierLimits: { label: 'เปลี่ยนวงเงินของ Tier', allow: 'value.guard', ...watched },
  receivingAccount: { label: 'เปลี่ยนบัญชีรับโอน', allow: 'settings.pay', ...byTwoAdmins },
  feedKey: { label: 'สร้างคีย์รับรายการธนาคาร', allow: 'settings.pay', ...byTwoAdmins },
  adminMade: { label: 'ตั้งผู้ดูแลระบบ', allow: 'account.edit', ...ofRanks, second: ofAdmins },
  /** Or nearly so: whose authenticator app or way to sign in is taken away can't act as an admin either. */
  adminEnded: { label: 'ปลดผู้ดูแลระบบ หรือปิดทางเข้าของเขา', allow: 'account.edit', ...ofRanks, second: ofAdmins },
  rankChanged: { label: 'เปลี่ยนบทบาทหรือสถานะของทีมงาน', allow: 'account.edit', ...ofRanks },
  /**
   * Its amount is what lies on the wallet and in shop credit, because somebody with the new PIN can spend all of it. An
   * empty account does not count.
   */
  pinReset: { label: 'ตั้ง PIN ใหม่ให้บัญชีที่มีเงิน', allow: 'account.edit', ...daily },
  /** The same for a password: by it somebody can sign in as the owner, set a PIN and spend shop credit. */
  passwordSet: { label: 'ตั้งรหัสผ่านใหม่ให้บัญชีที่มีเงิน', allow: 'account.edit', ...daily },
  /** What is written once loses a person's name by it, so it is counted among what protects the shop. */
  accountErased: { label: 'ลบข้อมูลของบัญชีตามคำขอ', allow: 'account.erase', ...byTwoAdmins, isOnce: true },
  totpReset: { label: 'ล้างแอปยืนยันตัวตน', allow: 'totp.reset', ...watched },
} as const satisfies Record<string, MoveEntry>
export type ValueMoveKind = keyof typeof VALUE_MOVE
export const VALUE_MOVE_KINDS = keysOf(VALUE_MOVE)

/** Older movements may have a kind that no longer exists. */
export const labelOfMove = (kind: string): string => (isKeyOf(VALUE_MOVE, kind) ? VALUE_MOVE[kind].label : kind)

export const moveEntry = (kind: ValueMoveKind): MoveEntry => VALUE_MOVE[kind]

/** The kinds that count towards a person's daily sum. */
export const COUNTED_MOVES = VALUE_MOVE_KINDS.filter(kind => VALUE_MOVE[kind].counts)

/** A movement that somebody is about to make. */
export interface ValueMove {
  kind: ValueMoveKind
  /** 0 when no amount applies. */
  amountSatang: Satang
  subject: AuditSubject
  /** A text for those who check it: from what to what, and why. */
  note: string
  /** Owner keys of the wallet or order it is about; none of these owners can be the second person. */
  owners?: readonly string[]
  /** Whether the money's existence is known only from the person who moves it. */
  isOwnWord?: boolean
  /** What the second person can judge it by. */
  evidence?: Evidence
}

/** What somebody shows for a move. */
export interface Evidence {
  /** The id of a picture, which is kept like a slip. */
  slipId: string | null
  /** A number under which somebody outside the shop knows of it. */
  reference: string | null
}

/** The facts that decide whether a second person is needed. */
export interface MoveWeight {
  /** The sum that this person moved alone on this Bangkok day. */
  movedTodaySatang: Satang
  limitSatang: Satang
  /** Whether they recently created an owner's account, or gave it a password or PIN. */
  holdsOwner: boolean
}

/**
 * Tells whether a second person is needed. Amounts are added up over the person's day, so that a large one can't be
 * moved in small parts.
 */
export function needsSecondWord(
  { kind, amountSatang, isOwnWord = false }: Pick<ValueMove, 'kind' | 'amountSatang' | 'isOwnWord'>,
  weight: MoveWeight,
): boolean {
  const { second, isForWallet } = moveEntry(kind)
  if (!second) return false
  if (second.when === 'always' || (isForWallet && (weight.holdsOwner || isOwnWord))) return true
  return weight.movedTodaySatang + amountSatang > weight.limitSatang
}

/** The states of a question for a second person. */
export const WORD_STATES = {
  waiting: 'รอยืนยัน',
  given: 'ยืนยันแล้ว',
  refused: 'ไม่ยืนยัน',
  withdrawn: 'ผู้ขอยกเลิก',
  stale: 'ข้อมูลเปลี่ยนไปแล้ว',
  expired: 'หมดเวลา',
} as const satisfies Record<string, string>
export type WordState = keyof typeof WORD_STATES

/** How long such a question waits, and how long an agreement can be used. */
export const WORD_SECONDS = 24 * 3600
/** For this long somebody who gave a rank and the person who got it can't be each other's second person. */
export const RANK_TIE_SECONDS = 14 * 24 * 3600
/** For this long somebody who lost a right still counts, so that taking it away makes nobody the only one. */
export const LOST_RIGHT_SECONDS = 72 * 3600

/** A possible second person, with their ties to the asker. */
export interface WordGiver {
  uid: string
  /** Whether their role permits it. */
  isAllowed: boolean
  keys: readonly string[]
  /** Whether one of the two recently reset the other's password, PIN or app, or gave them their rank. */
  isTied: boolean
  /** Whether they know an owner's password or PIN. */
  holdsOwner: boolean
}

/** Returns why somebody can't agree, in words that end a sentence; null when they can. */
export function wordBarrier(
  word: { askedBy: string; owners: readonly string[] },
  { uid, isAllowed, keys, isTied, holdsOwner }: WordGiver,
): string | null {
  if (word.askedBy === uid) return 'เพราะเป็นรายการที่คุณขอเอง'
  if (!isAllowed) return 'เพราะบทบาทของคุณไม่มีสิทธิ์'
  if (word.owners.some(owner => keys.includes(owner))) return 'เพราะเป็นกระเป๋าเงินหรือคำสั่งซื้อของคุณ'
  if (isTied) return 'เพราะคุณกับผู้ขอเพิ่งตั้งรหัสผ่าน PIN หรือบทบาทให้กัน'
  if (holdsOwner) return 'เพราะคุณเพิ่งสร้างบัญชี หรือตั้งรหัสผ่านหรือ PIN ให้เจ้าของเงิน'
  return null
}
