import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseStatement } from './parse-statement.ts'

const now = new Date('2026-11-21T05:00:00Z')
const SAMPLE = readFileSync(join(import.meta.dirname, 'samples', 'iso-camt053.xml'), 'utf8')
const parse = (text: string) => parseStatement(Buffer.from(text), { now })
const read = (text: string) => {
  const { lines, problems, checks } = parse(text)
  return {
    lines: lines.map(({ date, time, amountSatang, detail }) => [date, time, amountSatang, detail]),
    problems: problems.map(({ rowNumber, column, code }) => [rowNumber, column, code]),
    isProven: checks.length > 0 && checks.every(({ ok }) => ok),
  }
}
const statement = (account: string, ...entries: string[]) =>
  `<Stmt><Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>${entries.join('')}</Stmt>`
const message = (...statements: string[]) =>
  `<n:Document xmlns:n="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${statements.join('')}</BkToCstmrStmt></n:Document>`
const entry = (more: Partial<Record<'amount' | 'direction' | 'status' | 'day' | 'details', string>> = {}) => {
  const { amount = '<Amt Ccy="THB">100.07</Amt>', direction = 'CRDT', status = 'BOOK', details = '' } = more
  const { day = '<BookgDt><Dt>2026-11-18</Dt></BookgDt>' } = more
  return `<Ntry>${amount}<CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts>${day}${details}</Ntry>`
}

test('an entry is a line by its booking day, in the time of Bangkok; a prefix and a missing reference do no harm', () => {
  const at = (dateTime: string) => entry({ day: `<BookgDt><DtTm>${dateTime}</DtTm></BookgDt>` })
  const later = entry({ day: '<ValDt><Dt>2026-11-19+07:00</Dt></ValDt>' })
  const file = message(statement('1234567890', at('2026-11-17T18:30:00Z'), at('2026-11-18T02:00:01+07:00'), later))
  expect(read(file).lines).toEqual([
    ['2026-11-18', '01:30:00', 10_007, ''],
    ['2026-11-18', '02:00:01', 10_007, ''],
    ['2026-11-19', null, 10_007, ''],
  ])
  expect(parse(file)).toMatchObject({ layout: 'camt053', lastDigits: '1234567890' })
})

test('what is not booked, of another currency, or has no amount or day is a problem of its row', () => {
  const file = message(
    statement(
      '1234567890',
      entry({ status: 'PDNG' }),
      entry({ status: '<Cd>INFO</Cd>' }),
      entry({ direction: 'BOTH' }),
      entry({ amount: '<Amt Ccy="USD">1.00</Amt>' }),
      entry({ amount: '' }),
      entry({ day: '' }),
      entry({ day: '<BookgDt><Dt>18.13.2026</Dt></BookgDt>' }),
      entry({ amount: '', day: '', details: '<AddtlNtryInf>Opening Balance</AddtlNtryInf>' }),
    ),
  )
  expect(read(file).problems).toEqual([
    [2, 'CRDT/DBIT', 'DIRECTION_UNKNOWN'],
    [3, 'CRDT/DBIT', 'DIRECTION_UNKNOWN'],
    [4, 'CRDT/DBIT', 'DIRECTION_UNKNOWN'],
    [5, 'Entry Amount', 'AMOUNT_FOREIGN'],
    [6, 'Entry Amount', 'AMOUNT_INVALID'],
    [7, 'Booking Date', 'DATE_INVALID'],
    [8, 'Booking Date', 'DATE_INVALID'],
    [9, 'Entry Amount', 'AMOUNT_INVALID'],
  ])
})

test('balances and sums prove that it is whole; a message without its end is refused', () => {
  expect(read(SAMPLE).isProven).toBe(true)
  const [from, to] = [SAMPLE.lastIndexOf('<Ntry>'), SAMPLE.lastIndexOf('</Ntry>') + '</Ntry>'.length]
  expect(read(SAMPLE.slice(0, from) + SAMPLE.slice(to)).isProven).toBe(false)
  for (const end of [to, SAMPLE.indexOf('</BkToCstmrStmt>')])
    expect(() => parse(SAMPLE.slice(0, end))).toThrow(expect.objectContaining({ code: 'STATEMENT_CUT_OFF' }))
})

test('of several statements the rows of one account are read', () => {
  const file = message(statement('1234567890', entry()), statement('9876543210', entry(), entry()))
  expect(parseStatement(Buffer.from(file), { now, account: '987-6-54321-0' }).lines).toHaveLength(2)
  expect(read(file).problems).toEqual([[3, 'Account', 'ACCOUNTS_MIXED']])
})

test('no entity expands, and no element is nested without end', () => {
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')
  const bomb = `<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY e0 "lol">${entities}<!ENTITY x SYSTEM "file:///etc/passwd">]>`
  const details = '<AddtlNtryInf>&e9;&x;</AddtlNtryInf>'
  expect(read(bomb + message(statement('1234567890', entry({ details })))).lines).toEqual([
    ['2026-11-18', null, 10_007, '&e9;&x;'],
  ])
  const deep = '<a>'.repeat(200) + '</a>'.repeat(200)
  expect(() => parse(message(statement('1', deep)))).toThrow(expect.objectContaining({ code: 'STATEMENT_TOO_COMPLEX' }))
})
