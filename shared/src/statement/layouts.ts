import { keysOf } from '../table.ts'
import { type DateForm, writtenDate } from './cell-date.ts'
import { plain, sameText } from './cell-text.ts'
import { type AmountMapping, type ColumnMapping, emptyMapping, PREVIEW_ROWS, type Rows, shownCells } from './mapping.ts'

/** The columns of a layout, each with its possible headings. */
interface Headings {
  date: readonly string[]
  time?: readonly string[]
  deposit?: readonly string[]
  withdrawal?: readonly string[]
  /** One column for both directions. */
  amount?: readonly string[]
  /** "C" and "D", or "CRDT" and "DBIT", beside the amount. */
  direction?: readonly string[]
  balance?: readonly string[]
  details: readonly (readonly string[])[]
  channel?: readonly string[]
  fromBank?: readonly string[]
  fromAccount?: readonly string[]
  account?: readonly string[]
}

interface Layout {
  /** Its name for people. */
  name: string
  /** 3-digit code of the bank; null for what any bank may send. */
  bank: string | null
  dates: DateForm
  /** A file has this layout when one row contains a heading for each of these columns. */
  headings: Headings | null
  /** For a file without headings: the position of its columns and the form of its rows. */
  shape?: {
    isRow: (cells: readonly string[]) => boolean
    columns: Partial<ColumnMapping> & Pick<ColumnMapping, 'amount'>
  }
  /** In some exports a single column of amounts has no sign; then the balance gives the direction. */
  amountStyle?: 'balance'
}

const DAY_FIRST: DateForm = { order: 'dmy', era: 'CE' }
const DAY_FIRST_BE: DateForm = { order: 'dmy', era: 'BE' }

/** The headings of the table that a SWIFT MT940 message is turned into. */
export const MT940_HEADINGS = [
  'Account Number',
  'Tag',
  'Value Date',
  'D/C',
  'Amount',
  'Balance',
  'Type',
  'Reference',
  'Details',
] as const

/** The headings of the table that an ISO 20022 statement (CAMT.053) is turned into. */
export const CAMT_HEADINGS = [
  'Account',
  'Booking Date',
  'Booking Time',
  'CRDT/DBIT',
  'Entry Amount',
  'Entry Reference',
  'Entry Details',
  'Counterparty Bank',
  'Counterparty Account',
] as const

const layouts = {
  'kbank-deposit': {
    name: 'กสิกรไทย: รายการเดินบัญชีเงินฝาก (มีรายละเอียด)',
    bank: '004',
    dates: DAY_FIRST,
    headings: {
      date: ['วันที่', 'Date'],
      time: ['เวลา/ วันที่มีผล', 'เวลา/วันที่มีผล', 'Time/ Eff.Date', 'Time/Eff.Date'],
      withdrawal: ['ถอนเงิน', 'Withdrawal'],
      deposit: ['ฝากเงิน', 'Deposit'],
      balance: ['ยอดคงเหลือ', 'Outstanding Balance'],
      details: [
        ['รายการ', 'Descriptions'],
        ['รายละเอียด', 'Details'],
      ],
      channel: ['ช่องทาง', 'Channel'],
    },
  },
  'kbank-recent': {
    name: 'กสิกรไทย: รายการล่าสุด',
    bank: '004',
    dates: { order: 'ymd', era: 'CE' },
    headings: {
      date: ['Transaction Date'],
      withdrawal: ['Withdrawal (Baht)'],
      deposit: ['Deposit (Baht)'],
      details: [['Transaction'], ['Account/PromptPay or Biller']],
      // Holds "บัญชีธนาคารกสิกรไทย", or the note that it is another bank.
      fromBank: ['Account/PromptPay or Biller'],
      channel: ['Channel'],
    },
  },
  'kbank-kcyber': {
    name: 'กสิกรไทย: K-Cyber (รุ่นเดิม)',
    bank: '004',
    dates: DAY_FIRST,
    headings: {
      date: ['Date'],
      withdrawal: ['Withdrawal (THB)'],
      deposit: ['Deposit (THB)'],
      balance: ['Outstanding Balance (THB)'],
      details: [['Transaction Type'], ['Note']],
      channel: ['Service Channel'],
    },
  },
  'scb-historical': {
    name: 'ไทยพาณิชย์: Historical Statement',
    bank: '014',
    dates: DAY_FIRST,
    headings: {
      account: ['Account Number'],
      date: ['Date'],
      time: ['Time'],
      withdrawal: ['Withdrawal'],
      deposit: ['Deposit'],
      balance: ['Outstanding Balance'],
      details: [['Tr Code'], ['Description']],
      channel: ['Channel'],
    },
  },
  'scb-easynet': {
    name: 'ไทยพาณิชย์: หน้าจอ Easy Net ที่คัดลอกมา',
    bank: '014',
    dates: DAY_FIRST,
    headings: {
      date: ['Date'],
      time: ['Time'],
      withdrawal: ['Withdrawal'],
      deposit: ['Deposits'],
      balance: ['Balance'],
      details: [['Transaction'], ['Description']],
      channel: ['Channel'],
    },
  },
  'bbl-ibanking': {
    name: 'กรุงเทพ: Bualuang iBanking',
    bank: '002',
    dates: DAY_FIRST,
    headings: {
      date: ['Transaction Date and Time'],
      withdrawal: ['Debit Amount'],
      deposit: ['Credit Amount'],
      balance: ['Ledger Balance'],
      details: [['Description'], ['Narrative'], ['Counter Party Account Name']],
      channel: ['Channel of transaction'],
      fromAccount: ['Counter Party Account Number'],
    },
  },
  'bbl-thai': {
    name: 'กรุงเทพ: ไฟล์ภาษาไทย (รุ่นเดิม)',
    bank: '002',
    dates: DAY_FIRST_BE,
    headings: {
      date: ['วันที่ทำรายการ'],
      withdrawal: ['หักบัญชี'],
      deposit: ['เข้าบัญชี'],
      balance: ['ยอดคงเหลือ'],
      details: [['คำอธิบาย']],
      channel: ['ช่องทางทำรายการ'],
    },
  },
  'krungsri-inquiry': {
    name: 'กรุงศรี: Statement Inquiry (ไม่มีหัวตาราง)',
    bank: '025',
    dates: DAY_FIRST,
    headings: null,
    shape: {
      isRow: cells => {
        const [date = '', , , balance = '', code = ''] = cells.map(plain)
        const isMovement = writtenDate(date, DAY_FIRST) !== null && /^[A-Z]{2}$/.test(code)
        return cells.length >= 6 && (isMovement || (date === '' && code === 'B/F')) && /^-?[\d,]+\.\d\d$/.test(balance)
      },
      columns: {
        amount: { style: 'two-columns', withdrawal: 1, deposit: 2 },
        balanceColumn: 3,
        detailColumns: [4, 5],
        channelColumn: 6,
      },
    },
  },
  'ktb-netbank': {
    name: 'กรุงไทย: KTB netbank (.xls)',
    bank: '006',
    dates: DAY_FIRST,
    headings: { date: ['วันที่'], amount: ['จำนวนเงิน'], balance: ['ยอดเงินคงเหลือ'], details: [['รายการ'], ['รายละเอียด']] },
  },
  'ktb-download': {
    name: 'กรุงไทย: Corporate Online (DownLoadService)',
    bank: '006',
    dates: DAY_FIRST,
    headings: {
      date: ['Date'],
      amount: ['Amount'],
      balance: ['Balance'],
      details: [['Transaction Code'], ['Description']],
      channel: ['Init Br'],
    },
  },
  'ktb-corporate': {
    name: 'กรุงไทย: Corporate Online (ภาษาไทย)',
    bank: '006',
    dates: DAY_FIRST,
    amountStyle: 'balance',
    headings: {
      date: ['วันที่/ เวลา', 'วันที่/เวลา'],
      amount: ['ถอนเงิน/ฝากเงิน', 'ถอนเงิน/ ฝากเงิน'],
      balance: ['ยอดคงเหลือ'],
      details: [['รายการ'], ['รายละเอียด']],
      channel: ['ช่องทาง'],
    },
  },
  'ktb-business': {
    name: 'กรุงไทย: Krungthai Business (CSV)',
    bank: '006',
    dates: DAY_FIRST_BE,
    headings: {
      account: ['เลขที่บัญชี'],
      date: ['วันที่ & เวลา'],
      withdrawal: ['ถอน'],
      deposit: ['ฝาก'],
      balance: ['ยอดเงินคงเหลือ'],
      details: [['คำอธิบายรายการ']],
    },
  },
  mt940: {
    name: 'กรุงไทย: Krungthai Business (MT940)',
    bank: '006',
    dates: { order: 'ymd', era: 'CE' },
    headings: {
      account: [MT940_HEADINGS[0]],
      date: [MT940_HEADINGS[2]],
      direction: [MT940_HEADINGS[3]],
      amount: [MT940_HEADINGS[4]],
      details: [[MT940_HEADINGS[7]], [MT940_HEADINGS[8]]],
    },
  },
  camt053: {
    name: 'ISO 20022 (CAMT.053)',
    bank: null,
    dates: { order: 'ymd', era: 'CE' },
    headings: {
      account: [CAMT_HEADINGS[0]],
      date: [CAMT_HEADINGS[1]],
      time: [CAMT_HEADINGS[2]],
      direction: [CAMT_HEADINGS[3]],
      amount: [CAMT_HEADINGS[4]],
      details: [[CAMT_HEADINGS[5]], [CAMT_HEADINGS[6]]],
      fromBank: [CAMT_HEADINGS[7]],
      fromAccount: [CAMT_HEADINGS[8]],
    },
  },
} as const satisfies Record<string, Layout>

export type LayoutName = keyof typeof layouts
/** The table of the banks' files that are recognised without a person choosing the columns. */
export const LAYOUT: Readonly<Record<LayoutName, Layout>> = layouts
export const LAYOUTS = keysOf(layouts)

/** Returns the layout of a file; null when it is not a known one. */
export function recognise(rows: Rows): LayoutName | null {
  return LAYOUTS.find(name => layoutMapping(name, rows) !== null) ?? null
}

/** Returns the positions of a known layout's columns in this file; null when the file has another layout. */
export function layoutMapping(name: LayoutName, rows: Rows): ColumnMapping | null {
  const { headings, shape, bank, dates, amountStyle } = LAYOUT[name]
  const first = rows.slice(0, PREVIEW_ROWS)
  const empty = emptyMapping(bank, dates)
  if (headings === null) {
    const filled = first.filter(cells => cells.some(cell => plain(cell) !== ''))
    // Not every row must match, so that a mistake in one row is reported for that row.
    const isShaped = filled.filter(cells => shape!.isRow(cells)).length > filled.length / 2
    return isShaped ? { ...empty, ...shape!.columns } : null
  }
  for (const [headerRow, header] of first.entries()) {
    const columns = columnsUnder(headings, header, amountStyle)
    if (columns)
      return { ...empty, headerRow, header: shownCells(header), ...columns, date: { ...dates, column: columns.date } }
  }
  return null
}

/** Returns the columns under a row of headings; null when one of the layout's headings is missing. */
function columnsUnder(headings: Headings, header: readonly string[], amountStyle: 'balance' | undefined) {
  const texts = header.map(sameText)
  let isComplete = true
  const find = (names: readonly string[] | undefined): number | null => {
    if (!names) return null
    const index = names.map(name => texts.indexOf(sameText(name))).find(each => each >= 0)
    if (index === undefined) isComplete = false
    return index ?? null
  }
  const date = find(headings.date)!
  const [deposit, withdrawal] = [find(headings.deposit), find(headings.withdrawal)]
  const [column, directionColumn] = [find(headings.amount), find(headings.direction)]
  const columns = {
    date,
    timeColumn: find(headings.time),
    balanceColumn: find(headings.balance),
    detailColumns: headings.details.map(names => find(names)!),
    channelColumn: find(headings.channel),
    fromBankColumn: find(headings.fromBank),
    fromAccountColumn: find(headings.fromAccount),
    accountColumn: find(headings.account),
  }
  if (!isComplete) return null
  const amount: AmountMapping =
    column === null
      ? { style: 'two-columns', deposit: deposit!, withdrawal: withdrawal! }
      : directionColumn === null
        ? { style: amountStyle ?? 'signed', column }
        : { style: 'direction', column, directionColumn, inWords: ['C', 'RD', 'CRDT'], outWords: ['D', 'RC', 'DBIT'] }
  return { ...columns, amount }
}
