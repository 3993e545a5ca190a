import { AppError } from '@shop/shared/errors.ts'
import { MT940_HEADINGS } from '@shop/shared/statement/layouts.ts'

/** Tells whether a text is in SWIFT's format for statements, whose lines begin with tags. */
export function isMt940(text: string): boolean {
  return /^(\{1:.*)?\s*:20:/.test(text) && /^:60[FM]:/m.test(text)
}

const TAG = /^:(\d{2}[A-Z]?):(.*)$/
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d+,\d*)$/
/** Value date, entry date, direction, letter of the currency, amount, type, reference. */
const MOVEMENT = /^(\d{6})(?:\d{4})?(R?[CD])[A-Z]?(\d+,\d*)([A-Z][A-Z0-9]{3})?(.*)$/
const [TAG_AT, DATE_AT, DIRECTION_AT, AMOUNT_AT, BALANCE_AT, TYPE_AT, REFERENCE_AT, DETAILS_AT] = [
  1, 2, 3, 4, 5, 6, 7, 8,
]

/**
 * Returns a table with `MT940_HEADINGS`, in which each movement and balance is in the row of its line. @throws
 * STATEMENT_CUT_OFF
 */
export function mt940Rows(text: string): string[][] {
  const lines = text.trimEnd().split(/\r\n|\n|\r/)
  const rows = lines.map((): string[] => [])
  let account = ''
  let currency = ''
  let movement: string[] | null = null
  let lastTag = ''
  for (const [index, line] of lines.entries()) {
    const [, tag, value = ''] = TAG.exec(line) ?? []
    if (tag === undefined) {
      // A line without a tag continues the one before it; "-" ends a message.
      if (movement && lastTag === '86') movement[DETAILS_AT] += ` ${line.trim()}`
      else if (movement && lastTag === '61') movement[REFERENCE_AT] += ` ${line.trim()}`
      continue
    }
    lastTag = tag
    if (tag === '25') account = value
    if (tag === '86' && movement) movement[DETAILS_AT] = value
    if (tag === '61') rows[index] = movement = movementRow(account, currency, value)
    else if (tag !== '86') movement = null
    if (/^6[02][FM]$/.test(tag)) {
      currency = BALANCE.exec(value)?.[3] ?? ''
      rows[index] = balanceRow(account, tag, value)
    }
  }
  rows[
    Math.max(
      lines.findIndex(line => line.includes(':20:')),
      0,
    )
  ] = [...MT940_HEADINGS]
  if (!lines.some(line => /^:62[FM]:/.test(line) && BALANCE.test(line.slice(5))))
    throw new AppError('STATEMENT_CUT_OFF', { values: { n: lines.length } })
  return rows
}

const day = (text: string) => `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`
/** Turns "1234,5" into "1234.5". A currency other than baht is added to the text, so that the amount is refused. */
const money = (text: string, currency: string) =>
  `${currency === '' || currency === 'THB' ? '' : `${currency} `}${text.replace(/,$/, '').replace(',', '.')}`

function movementRow(account: string, currency: string, value: string): string[] {
  const row = emptyRow(account, '61')
  const [, date, direction, amount, type = '', reference = ''] = MOVEMENT.exec(value) ?? []
  // A line that can't be read is put where the date is expected, so that it is reported.
  if (date === undefined) row[DATE_AT] = value
  else {
    row[DATE_AT] = day(date)
    row[DIRECTION_AT] = direction!
    row[AMOUNT_AT] = money(amount!, currency)
    row[TYPE_AT] = type
    row[REFERENCE_AT] = reference
  }
  return row
}

function balanceRow(account: string, tag: string, value: string): string[] {
  const row = emptyRow(account, tag)
  const [, sign, date = '', currency = '', amount = ''] = BALANCE.exec(value) ?? []
  row[DATE_AT] = day(date)
  row[BALANCE_AT] = `${sign === 'D' ? '-' : ''}${money(amount, currency)}`
  return row
}

function emptyRow(account: string, tag: string): string[] {
  const row = MT940_HEADINGS.map(() => '')
  row[0] = account
  row[TAG_AT] = tag
  return row
}
