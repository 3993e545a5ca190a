import { bankOf } from '../catalogue/banks.ts'
import { formatBaht, type Satang } from '../money.ts'
import { tableOf } from '../table.ts'
import { formatDateTimeSeconds } from '../time.ts'
import { holdAgainstMask } from './mask.ts'
import { holdAgainstNames } from './name.ts'
import type { Party, SlipReply } from './reply.ts'

/** An account of the shop that may have received the money. */
interface OwnAccount {
  bankCode: string
  accountNo: string
  promptPayId: string | null
  /** In Thai, and in Latin letters if known. */
  names: readonly string[]
}

/** Another thing that the transfer could be meant for. */
export interface Rival {
  no: string
  /** The time in which a transfer for it can have been made; null means any time. */
  window: SlipClaim['window'] | null
  /** Whether it has its money already or still waits for it. */
  hasPaid: boolean
}

/** What a slip is meant to pay, and the shop's facts about the slip. */
export interface SlipClaim {
  amountSatang: Satang
  accounts: readonly OwnAccount[]
  /** The time in which the transfer can have been made. */
  window: { from: Date; to: Date }
  /** Sending bank and reference of the slip's QR code. */
  slip: { sendingBank: string; reference: string }
  /** Whether the transfer pays this and nothing else in the shop. */
  isSlipOurs: boolean
  /** Other things that wait for, or already have, the same amount on the same account. */
  rivals: readonly Rival[]
  /** Whether the provider was asked about this slip before, and may therefore call it a repeat. */
  wasAskedBefore: boolean
}

export const RULE_NAMES = ['reply', 'reference', 'amount', 'receiver', 'time', 'unused'] as const
export type RuleName = (typeof RULE_NAMES)[number]
export const RULE_RESULTS = ['ok', 'no', 'unclear'] as const
export type RuleResult = (typeof RULE_RESULTS)[number]

/** The finding of a rule, with both compared values in words. */
export interface Finding {
  result: RuleResult
  expected: string
  found: string
}
export type Verdict = Record<RuleName, Finding>

interface Rule {
  /** The rule's name for staff. */
  label: string
  judge(reply: SlipReply, claim: SlipClaim): Finding
}

const NOT_TOLD = 'ไม่มีข้อมูล'
const transferText = (bank: string | null, reference: string | null) =>
  reference ? `${bank ? bankOf(bank).shortCode : NOT_TOLD} ${reference}` : NOT_TOLD

/** Returns `ok` or not by whether the two agree, and `unclear` when there is nothing to compare. */
const compared = (isKnown: boolean, agrees: boolean): RuleResult => (isKnown ? (agrees ? 'ok' : 'no') : 'unclear')

const isWithin = (at: Date | null, { from, to }: SlipClaim['window']): boolean => at !== null && at >= from && at <= to

const sameBank = (one: string, other: string): boolean => bankOf(one).code === bankOf(other).code

function judgeReply({ isSuccess, flags }: SlipReply, { wasAskedBefore }: SlipClaim): Finding {
  // The repeat may come from our own earlier question whose answer was lost.
  const isOwnRepeat = flags.isRepeat && wasAskedBefore && !flags.amountDiffers && !flags.receiverDiffers
  const isPlain = isSuccess && !flags.isRepeat
  const said = isSuccess ? 'พบรายการโอน' : 'ตอบพร้อมข้อโต้แย้ง'
  const repeat = isOwnRepeat ? ' (ร้านเคยถามสลิปนี้แล้ว)' : ' (สลิปเคยถูกตรวจมาก่อน)'
  return {
    result: isPlain || isOwnRepeat ? 'ok' : 'unclear',
    expected: 'พบรายการโอน',
    found: said + (flags.isRepeat ? repeat : ''),
  }
}

function judgeAmount({ amountSatang, transferredAt, flags }: SlipReply, claim: SlipClaim): Finding {
  const finding = {
    expected: formatBaht(claim.amountSatang),
    found: amountSatang === null ? NOT_TOLD : formatBaht(amountSatang),
  }
  const result = compared(amountSatang !== null, amountSatang === claim.amountSatang)
  if (result !== 'ok') return { ...finding, result }
  const rival = claim.rivals.find(({ window }) => !window || isWithin(transferredAt, window))
  if (rival) {
    const said = rival.hasPaid ? `ซึ่งอาจเป็นเงินที่รับเป็นของ ${rival.no} ไปแล้ว` : `ซึ่ง ${rival.no} ก็รออยู่`
    return { ...finding, result: 'unclear', found: `${finding.found} ${said}` }
  }
  return { ...finding, result: flags.amountDiffers ? 'unclear' : 'ok' }
}

const partyText = ({ bankCode, names, account, proxy }: Party): string =>
  [bankCode && bankOf(bankCode).shortCode, account ?? proxy, names.join(' / ')].filter(Boolean).join(' ') || NOT_TOLD

const isWholeNumber = (own: OwnAccount, matched: SlipReply['matched']): boolean =>
  matched?.accountNo === own.accountNo.replace(/\D/g, '')

function judgeNumber(own: OwnAccount, { receiver, matched, flags }: SlipReply): RuleResult {
  if (receiver.bankCode && !sameBank(receiver.bankCode, own.bankCode)) return 'no'
  const held = [
    holdAgainstMask(own.accountNo, receiver.account),
    own.promptPayId === null ? 'unclear' : holdAgainstMask(own.promptPayId, receiver.proxy),
  ]
  if (held.includes('fits')) return flags.receiverDiffers ? 'unclear' : 'ok'
  if (held.includes('differs')) return 'no'
  // A match without its number counts only in a clear confirmation, never in a repeat.
  const isMatched = matched?.accountNo === null ? !flags.isRepeat : isWholeNumber(own, matched)
  return isMatched && !flags.receiverDiffers ? 'ok' : 'unclear'
}

/**
 * Judges number and name together, because the shown digits alone can't distinguish an account from a stranger's. When
 * no name can be compared, only the complete number counts.
 */
function judgeAccount(own: OwnAccount, reply: SlipReply): RuleResult {
  const number = judgeNumber(own, reply)
  if (number !== 'ok') return number
  const name = holdAgainstNames(own.names, reply.receiver.names)
  if (name === 'differs') return 'no'
  return name === 'fits' || isWholeNumber(own, reply.matched) ? 'ok' : 'unclear'
}

function judgeReceiver(reply: SlipReply, { accounts }: SlipClaim): Finding {
  const results = accounts.map(own => judgeAccount(own, reply))
  return {
    result: results.includes('ok') ? 'ok' : results.includes('unclear') || results.length === 0 ? 'unclear' : 'no',
    expected: accounts.map(own => partyText({ ...own, account: own.accountNo, proxy: null })).join(', '),
    found: partyText(reply.receiver),
  }
}

/** The rules that must all hold before a slip counts as a payment. None of them ever says "forged"; only people can. */
export const RULE = {
  reply: { label: 'คำตอบของผู้ตรวจสลิป', judge: judgeReply },
  reference: {
    label: 'เลขอ้างอิงธนาคาร',
    judge: ({ sendingBank, reference }, { slip }) => ({
      result: compared(
        sendingBank !== null && reference !== null,
        sendingBank === slip.sendingBank && reference === slip.reference,
      ),
      expected: transferText(slip.sendingBank, slip.reference),
      found: transferText(sendingBank, reference),
    }),
  },
  amount: { label: 'ยอดเงิน', judge: judgeAmount },
  receiver: { label: 'บัญชีผู้รับ', judge: judgeReceiver },
  time: {
    label: 'เวลาโอน',
    judge: ({ transferredAt }, { window }) => ({
      result: compared(transferredAt !== null, isWithin(transferredAt, window)),
      expected: `${formatDateTimeSeconds(window.from)} – ${formatDateTimeSeconds(window.to)}`,
      found: transferredAt ? formatDateTimeSeconds(transferredAt) : NOT_TOLD,
    }),
  },
  unused: {
    label: 'ใช้สลิปครั้งเดียว',
    judge: (_, { isSlipOurs }) => ({
      result: isSlipOurs ? 'ok' : 'no',
      expected: 'ยังไม่ได้จ่ายรายการอื่น',
      found: isSlipOurs ? 'ยังไม่ได้จ่ายรายการอื่น' : 'จ่ายรายการอื่นหรือเปลี่ยนสลิปไปแล้ว',
    }),
  },
} satisfies Record<RuleName, Rule> as Record<RuleName, Rule>

export function judge(reply: SlipReply, claim: SlipClaim): Verdict {
  return tableOf(RULE_NAMES, name => RULE[name].judge(reply, claim))
}

/**
 * Tells whether the bank confirms the transfer and it is for this; only its time, or earlier questions about it, may be
 * open.
 */
export const isTransferConfirmed = (verdict: Verdict): boolean =>
  (['reference', 'amount', 'receiver', 'unused'] as const).every(name => verdict[name].result === 'ok')

export const isApproved = (verdict: Verdict): boolean => RULE_NAMES.every(name => verdict[name].result === 'ok')
