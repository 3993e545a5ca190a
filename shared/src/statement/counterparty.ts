import { BANKS } from '../catalogue/banks.ts'
import { plain } from './cell-text.ts'

/** The sender of money as far as the bank names it: the 3-digit bank code, and the visible digits of the account. */
export interface Counterparty {
  bank: string | null
  account: string | null
}

/** Names that banks use for each other, beside our short codes. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  KBNK: '004',
  TMB: '011',
  TBANK: '011',
  UOBT: '024',
  CIMBT: '022',
  LHBANK: '073',
  LHFG: '073',
  TSCO: '067',
  TCR: '071',
  ISBT: '066',
}
const CODE_OF = new Map([...BANKS.map(bank => [bank.shortCode, bank.code] as const), ...Object.entries(OTHER_NAMES)])

/** "SCB", "014", "ธนาคารไทยพาณิชย์" -> "014"; null for any other text. */
export function bankCode(name: string): string | null {
  const text = plain(name).toUpperCase()
  if (/^\d{3}$/.test(text)) return text
  const thaiName = /^(?:บัญชี)?ธนาคาร(.+)$/.exec(text)?.[1]
  return CODE_OF.get(text) ?? BANKS.find(bank => thaiName?.startsWith(bank.niceName))?.code ?? null
}

/**
 * "XXX-X-X1234-X" -> "x1234x", "0942XXX148" -> "0942x148": digits stay, hidden ones become one x; null without digits.
 */
export function visibleAccount(text: string): string | null {
  const account = plain(text).replace(/[-\s]/g, '').replace(/[x*]+/gi, 'x')
  return /^[\dx]*\d{3}[\dx]*$/.test(account) ? account : null
}

const ACCOUNT = '([xX*\\d][xX*\\d-]{3,18})'
/** The forms in which banks write a sender into the details: `(bank) (account)`; a missing bank is the file's own. */
const PATTERNS: readonly RegExp[] = [
  // KBank, SCB: "จาก SCB X2345 name", "จาก X1234 name", "From KTB X0052", "รับโอนจาก KBANK x1234 name"
  new RegExp(`(?:จาก|\\bfrom) (?:([A-Z]{2,6}) )?${ACCOUNT}(?= |$)`, 'i'),
  // SCB on the screen: "name (KTB) /X1234"
  new RegExp(`\\(([A-Z]{2,6})\\) ?/ ?${ACCOUNT}(?= |$)`),
  // Krungthai: "014-5432116029 Future Amount: ..."
  /(?:^| )(\d{3})-(\d{10,12})(?= |$)/,
  // Krungsri: "รับโอนเงิน SCB name บัญชีต้นทาง XXX-X-X1234-X"
  new RegExp(`รับโอนเงิน ([A-Z]{2,6}) .*บัญชีต้นทาง ${ACCOUNT}(?= |$)`),
]

/** The same forms with the sender's name, which banks may cut: "นาย ยาวมากจนถูกตั++". */
const NAME_PATTERNS: readonly RegExp[] = [
  new RegExp(`รับโอนเงิน [A-Z]{2,6} (.+?) บัญชีต้นทาง ${ACCOUNT.replace('(', '(?:')}`),
  new RegExp(`^(.+?) \\([A-Z]{2,6}\\) ?/ ?${ACCOUNT.replace('(', '(?:')}`),
  new RegExp(`(?:จาก|\\bfrom) (?:[A-Z]{2,6} )?${ACCOUNT.replace('(', '(?:')} (.+)$`, 'i'),
  // A column of names stands behind the others: it begins with a title.
  /(?:^| )((?:นาย|นาง|น\.\s?ส\.|บจก\.|บริษัท|หจก\.|(?:MR|MRS|MS|MISS)\b\.?) ?.+)$/i,
]

/** Finds the name of the sender in the details of incoming money; null where the bank tells none. */
export function senderNameIn(detail: string): string | null {
  for (const pattern of NAME_PATTERNS) {
    const name = pattern.exec(detail)?.[1]?.trim()
    if (name && /\p{L}/u.test(name)) return name
  }
  return null
}

/** Finds the sender in the details of incoming money. `ownBank` is the file's own bank. */
export function counterpartyIn(detail: string, ownBank: string | null): Counterparty {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(detail)
    const account = found && visibleAccount(found[2]!)
    if (account) return { bank: found[1] === undefined ? ownBank : bankCode(found[1]), account }
  }
  return { bank: null, account: null }
}
