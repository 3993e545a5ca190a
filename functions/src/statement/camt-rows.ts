import { AppError } from '@shop/shared/errors.ts'
import { CAMT_HEADINGS } from '@shop/shared/statement/layouts.ts'
import { bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { MAX_ROWS } from './limits.ts'
import { readXml } from './xml.ts'

/** Tells whether a file begins as an account statement of ISO 20022, of whatever version. */
export const isCamt053 = (beginning: string): boolean => /<(\w+:)?BkToCstmrStmt[\s>]/.test(beginning)

/** The parts of a statement that are read. */
const PARTS = ['Acct', 'Bal', 'TxsSummry', 'Ntry']
/** The texts in a part by their path, as "BookgDt/Dt"; the currency of an amount as "Amt@Ccy"; one of `TRANSFERS` for each. */
type Part = Map<string, string[]>
const TRANSFERS = '#TxDtls'

/** Returns the first text at one of these paths; empty when there is none. */
const textAt = (part: Part, ...paths: string[]): string => paths.map(path => part.get(path)?.[0]).find(Boolean) ?? ''
const textsAt = (part: Part, ...paths: string[]): string[] => paths.flatMap(path => part.get(path) ?? [])

interface Statement {
  account: string
  parts: { name: string; part: Part }[]
}

/**
 * Returns a table with `CAMT_HEADINGS`, one row for each entry, below the balances and sums that a single statement
 * proves itself by. @throws STATEMENT_CUT_OFF, STATEMENT_TOO_LARGE, STATEMENT_TOO_COMPLEX
 */
export function camtRows(text: string): string[][] {
  const statements = readStatements(text)
  const [only, ...others] = statements
  const proofs = only && others.length === 0 ? only.parts.flatMap(proofRows) : []
  const entries = statements.flatMap(({ account, parts }) =>
    parts.filter(({ name }) => name === 'Ntry').map(({ part }) => entryRow(account, part)),
  )
  return [...proofs, [...CAMT_HEADINGS], ...entries]
}

function readStatements(text: string): Statement[] {
  const statements: Statement[] = []
  /** The elements around what is read, and the part among them. */
  const around: string[] = []
  let part: { name: string; part: Part; depth: number } | null = null
  let words = ''
  let isWhole = false
  let count = 0
  const keep = (path: string, value: string) => {
    const before = part?.part.get(path)
    if (before) before.push(value)
    else part?.part.set(path, [value])
  }
  const pathOf = (depth: number) => around.slice(depth).join('/')
  readXml(Buffer.from(text), {
    open(name, attributes) {
      if (name === 'Stmt') statements.push({ account: '', parts: [] })
      if (around.at(-1) === 'Stmt' && PARTS.includes(name)) {
        part = { name, part: new Map(), depth: around.length + 1 }
        if (++count > MAX_ROWS) throw new AppError('STATEMENT_TOO_LARGE')
      }
      around.push(name)
      words = ''
      if (name === 'TxDtls') keep(TRANSFERS, name)
      if (part && attributes.Ccy !== undefined) keep(`${pathOf(part.depth)}@Ccy`, attributes.Ccy)
    },
    text(more) {
      if (part) words += more
    },
    close(name, isImplied) {
      if (part && words.trim() !== '') keep(pathOf(part.depth), words.trim().replace(/\s+/g, ' '))
      words = ''
      if (name === 'BkToCstmrStmt' && !isImplied) isWhole = true
      around.pop()
      if (!part || around.length >= part.depth) return
      const statement = statements.at(-1)!
      if (part.name === 'Acct') statement.account = textAt(part.part, 'Id/Othr/Id', 'Id/IBAN')
      statement.parts.push(part)
      part = null
    },
  })
  if (!isWhole) throw new AppError('STATEMENT_CUT_OFF', { values: { n: count } })
  return statements
}

const BAHT = 'THB'
/** Another currency than baht stays beside the amount, so that it is refused. */
const money = (amount: string, currency: string): string =>
  currency === '' || currency === BAHT ? amount : `${currency} ${amount}`

/** The balances at both ends by their codes: PRCD is the closing balance of the statement before. */
const BALANCES: Record<string, string> = { OPBD: 'Opening Balance', PRCD: 'Opening Balance', CLBD: 'Closing Balance' }

/** Returns what a statement says of itself, in the words that other banks have for it. */
function proofRows({ name, part }: Statement['parts'][number]): string[][] {
  if (name === 'Bal') {
    const label = BALANCES[textAt(part, 'Tp/CdOrPrtry/Cd')]
    const sign = textAt(part, 'CdtDbtInd') === 'DBIT' ? '-' : ''
    return label ? [[label, `${sign}${money(textAt(part, 'Amt'), textAt(part, 'Amt@Ccy'))}`]] : []
  }
  if (name !== 'TxsSummry') return []
  return [
    ['Total Deposits', 'TtlCdtNtries'],
    ['Total Withdrawals', 'TtlDbtNtries'],
  ].flatMap(([label, of]) => {
    const sum = textAt(part, `${of}/Sum`)
    return sum === '' ? [] : [[label!, textAt(part, `${of}/NbOfNtries`), sum]]
  })
}

const DETAILS = 'NtryDtls/TxDtls'

function entryRow(account: string, part: Part): string[] {
  const direction = textAt(part, 'CdtDbtInd')
  const status = textAt(part, 'Sts/Cd', 'Sts')
  const [day, time] = momentOf(textAt(part, 'BookgDt/DtTm', 'BookgDt/Dt', 'ValDt/DtTm', 'ValDt/Dt'))
  const [side, agent] = direction === 'CRDT' ? ['Dbtr', 'DbtrAgt'] : ['Cdtr', 'CdtrAgt']
  const parties = `${DETAILS}/RltdPties`
  const accounts = textsAt(part, `${parties}/${side}Acct/Id/Othr/Id`, `${parties}/${side}Acct/Id/IBAN`)
  const banks = textsAt(part, `${DETAILS}/RltdAgts/${agent}/FinInstnId/ClrSysMmbId/MmbId`)
  // Money of several payers that was booked together came from none of them alone.
  const isOne = textsAt(part, TRANSFERS).length <= 1 && !(Number(textAt(part, 'NtryDtls/Btch/NbOfTxs')) > 1)
  const details = textsAt(
    part,
    'AddtlNtryInf',
    `${DETAILS}/RmtInf/Ustrd`,
    `${DETAILS}/AddtlTxInf`,
    `${parties}/${side}/Nm`,
    `${parties}/${side}/Pty/Nm`,
  )
  return [
    account,
    day,
    time,
    // What is not booked has moved nothing yet: with its status it is no direction, and told as a problem.
    status === 'BOOK' ? direction : `${direction} ${status || '?'}`,
    money(textAt(part, 'Amt') || '?', textAt(part, 'Amt@Ccy')),
    textAt(part, 'AcctSvcrRef', 'NtryRef', `${DETAILS}/Refs/EndToEndId`),
    details.join(' '),
    isOne ? (banks[0] ?? '') : '',
    isOne ? (accounts[0] ?? '') : '',
  ]
}

/** A day without a time may have a zone of its own, which says nothing. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/
/** It stands where a day is expected, so that the row is one and its day is reported. */
const NO_DAY = '0000-00-00'

/** Returns day and time on Bangkok's clocks, of whatever zone; what can't be read as it is written. */
function momentOf(text: string): [day: string, time: string] {
  const [, day, time, zone] = WRITTEN.exec(text) ?? []
  if (day === undefined) return [text || NO_DAY, '']
  if (time === undefined || zone === undefined) return [day, time ?? '']
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) return [day, time]
  return [bangkokDay(instant), formatDateTimeSeconds(instant).split(' ')[1]!]
}
