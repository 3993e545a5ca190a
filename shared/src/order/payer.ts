import { bankOf } from '../catalogue/banks.ts'
import { holdNumber } from '../slipcheck/mask.ts'
import { holdAgainstNames } from '../slipcheck/name.ts'
import { keysOf } from '../table.ts'
import { endOfPayee, type Payee, payeeEndText } from './payee.ts'

/** The account that money came from, as far as the bank's line or the confirmed slip tells it. */
export interface Payer {
  /** Clearing code. */
  bankCode: string | null
  /** The whole number, or the part of it that is shown: "x1234", "xxx-x-x1234-x". */
  account: string | null
  name: string | null
}

/** How the account that a refund is to go to stands to the one that paid. */
export const PAYEE_FIT = {
  payer: { label: 'บัญชีที่โอนมา', takesWord: false },
  /** Another account, whose name may be the payer's. */
  otherAccount: { label: 'ไม่ใช่บัญชีที่โอนมา', takesWord: true },
  otherName: { label: 'ชื่อไม่ตรงกับผู้โอน', takesWord: true },
  /** Nobody told the account that paid. */
  unknown: { label: 'ไม่ทราบบัญชีที่โอนมา', takesWord: true },
} as const satisfies Record<string, { label: string; takesWord: boolean }>
export type PayeeFit = keyof typeof PAYEE_FIT
export const PAYEE_FITS = keysOf(PAYEE_FIT)

const bare = (account: string): string => account.replace(/[\s-]/g, '').toLowerCase()

/** Tells whether nothing of an account number is hidden. */
export const isWhole = (account: string | null): account is string => account !== null && /^\d{6,}$/.test(bare(account))

const digitsShown = ({ account }: Payer): number => account?.replace(/\D/g, '').length ?? 0
/** Fewer digits tell no account. */
const LEAST_DIGITS = 4

/** Tells whether the bank and enough of the number are known to send money back there. */
export const isPayerKnown = (payer: Payer | null): payer is Payer & { bankCode: string; account: string } =>
  payer?.bankCode != null && digitsShown(payer) >= LEAST_DIGITS

/**
 * Returns the payer of which several sources tell, the surest first. The account is of one source; a name that this one
 * does not tell may be another's, because all are about one payment.
 */
export function payerOf(told: readonly Payer[]): Payer | null {
  const best =
    told.find(each => isPayerKnown(each)) ??
    told.find(each => digitsShown(each) > 0) ??
    told.find(({ name }) => name !== null) ??
    told.find(({ bankCode }) => bankCode !== null)
  if (!best) return null
  return { ...best, name: best.name ?? told.find(({ name }) => name !== null)?.name ?? null }
}

/** Compares the numbers; a PromptPay number is no account, so it fits only where the payer's whole number is the same. */
function holdAccount({ bankCode, accountNo }: Payee, payer: Payer): 'fits' | 'differs' | 'unclear' {
  if (isWhole(payer.account) && holdNumber(accountNo, payer.account) === 'fits')
    return bankCode === null || payer.bankCode === null || isSameBank(bankCode, payer.bankCode) ? 'fits' : 'differs'
  if (digitsShown(payer) === 0) return 'unclear'
  if (bankCode === null) return 'differs'
  if (payer.bankCode !== null && !isSameBank(bankCode, payer.bankCode)) return 'differs'
  return holdNumber(accountNo, payer.account)
}

const isSameBank = (one: string, other: string): boolean => bankOf(one).code === bankOf(other).code

/**
 * Compares an account with the one that paid. What somebody types is no proof of a name, so a name alone never makes an
 * account the payer's; it only tells that it can't be. Titles, cut and hidden letters, and the other script never do.
 */
export function fitOf(payee: Payee, payer: Payer | null): PayeeFit {
  if (!payer) return 'unknown'
  const account = holdAccount(payee, payer)
  // The whole number is the account, however its name was typed.
  if (account === 'fits' && isWhole(payer.account)) return 'payer'
  if (payer.name !== null && holdAgainstNames([payee.accountName], [payer.name]) === 'differs') return 'otherName'
  return account === 'fits' ? 'payer' : account === 'differs' ? 'otherAccount' : 'unknown'
}

/**
 * Shop credit that becomes a transfer was paid from any account of its owner's: what counts is that no payer has another
 * name, and that each is known.
 */
export function fitOfCredit(payee: Payee, payers: readonly (Payer | null)[]): PayeeFit {
  const fits = payers.map(payer => fitOf(payee, payer))
  const isOwners = (fit: PayeeFit, payer: Payer | null) =>
    fit === 'payer' ||
    (fit !== 'otherName' && payer?.name != null && holdAgainstNames([payee.accountName], [payer.name]) === 'fits')
  if (fits.includes('otherName')) return 'otherName'
  if (fits.length > 0 && fits.every((fit, index) => isOwners(fit, payers[index]!))) return 'payer'
  return fits.includes('otherAccount') ? 'otherAccount' : 'unknown'
}

/** The same for any refund; shop credit that becomes a transfer may have several payers. */
export const fitOfRefund = (
  payee: Payee,
  { isFromCredit, payers }: { isFromCredit: boolean; payers: readonly (Payer | null)[] },
): PayeeFit => (isFromCredit ? fitOfCredit(payee, payers) : fitOf(payee, payers[0] ?? null))

/** What the buyer has to type to have money sent back to the account that paid. */
export const wantedOf = (payer: Payer) => ({ number: !isWhole(payer.account), name: payer.name === null })

interface TypedAccount {
  accountNo?: string | undefined
  accountName?: string | undefined
}

/**
 * Returns the account that paid as one to send money to; null when too little is known, or when what is typed does not
 * fit it.
 */
export function payeeOfPayer(payer: Payer | null, typed: TypedAccount): Payee | null {
  if (!isPayerKnown(payer)) return null
  const accountNo = isWhole(payer.account) ? bare(payer.account) : typed.accountNo
  const accountName = payer.name ?? typed.accountName
  if (!accountNo || !accountName) return null
  const payee = { bankCode: bankOf(payer.bankCode).code, accountNo, accountName }
  return fitOf(payee, payer) === 'payer' ? payee : null
}

/** "xxx-x-x1234-x" -> "x1234x"; of a whole number the last digits: "x6789". */
export function shownAccount(account: string): string {
  if (isWhole(account)) return `x${bare(account).slice(-LEAST_DIGITS)}`
  return bare(account).replace(/[x*•]+/g, 'x')
}

/** "นาย สมชาย ใจดี" -> "นาย สมชาย ใ***": as banks show the name of somebody who may be a stranger. */
export function shownName(name: string): string {
  const words = name.trim().split(/\s+/)
  const last = words.at(-1)!
  return words.length < 2 || /[*+]/.test(last) ? name.trim() : [...words.slice(0, -1), `${[...last][0]}***`].join(' ')
}

/** "กสิกรไทย x1234 นาย สมชาย ใจดี", as far as it is told. */
export function payerText(payer: Payer | null): string {
  const { bankCode = null, account = null, name = null } = payer ?? {}
  const parts = [bankCode && bankOf(bankCode).niceName, account && shownAccount(account), name]
  return parts.filter(Boolean).join(' ') || 'ไม่ทราบบัญชี'
}

/** What a second person reads of a refund: from whom the money came, where it is to go, and why. */
export function elsewhereText(payee: Payee, payer: Payer | null, fit: PayeeFit, reason: string | null): string {
  const to = `${payeeEndText(endOfPayee(payee))} ${payee.accountName}`
  return `เงินมาจาก ${payerText(payer)} → คืนไป ${to} (${PAYEE_FIT[fit].label})${reason ? ` · เหตุผล: ${reason}` : ''}`
}
