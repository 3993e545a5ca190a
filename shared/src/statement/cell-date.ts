import { bangkokDay, DAY_MS } from '../time.ts'
import { plain } from './cell-text.ts'
import type { ProblemCode } from './row-problem.ts'

export const ERAS = ['CE', 'BE'] as const
export type Era = (typeof ERAS)[number]
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** How a file writes its dates. `era` tells how two-digit years count; four-digit years are clear by themselves. */
export interface DateForm {
  order: DateOrder
  era: Era
}

/** A date from a cell, before it is known which number is the month. */
export interface WrittenDate {
  /** Day and month; in the written order when only the whole file can tell which is which. */
  first: number
  second: number
  isOrderOpen: boolean
  /** Banks write two digits; a spreadsheet that saved the file again writes "18/1/2026". */
  isPadded: boolean
  year: number
  /** The year's era: certain for four digits, by the form for two. */
  era: Era
  /** The text after the date: a time, or nothing. */
  rest: string
}

const MONTHS: readonly (readonly string[])[] = [
  ['ม.ค.', 'มกราคม', 'january', 'jan'],
  ['ก.พ.', 'กุมภาพันธ์', 'february', 'feb'],
  ['มี.ค.', 'มีนาคม', 'march', 'mar'],
  ['เม.ย.', 'เมษายน', 'april', 'apr'],
  ['พ.ค.', 'พฤษภาคม', 'may'],
  ['มิ.ย.', 'มิถุนายน', 'june', 'jun'],
  ['ก.ค.', 'กรกฎาคม', 'july', 'jul'],
  ['ส.ค.', 'สิงหาคม', 'august', 'aug'],
  ['ก.ย.', 'กันยายน', 'september', 'sept', 'sep'],
  ['ต.ค.', 'ตุลาคม', 'october', 'oct'],
  ['พ.ย.', 'พฤศจิกายน', 'november', 'nov'],
  ['ธ.ค.', 'ธันวาคม', 'december', 'dec'],
]
const MONTH_NUMBER = new Map(MONTHS.flatMap((names, index) => names.map(name => [name.replaceAll('.', ''), index + 1])))

const SEPARATOR = '[-/. ]{1,3}'
const YEAR_FIRST = new RegExp(`^(\\d{4})${SEPARATOR}(\\d{1,2})${SEPARATOR}(\\d{1,2})(?!\\d)(.*)$`)
const NUMBERS = new RegExp(`^(\\d{1,2})${SEPARATOR}(\\d{1,2})${SEPARATOR}(\\d{4}|\\d{2})(?!\\d)(.*)$`)
const NAMED_MONTH = /^(\d{1,2})[-/. ]*([a-z]+|[ก-๎.]+?)[-/. ]*(\d{4}|\d{2})(?!\d)(.*)$/i
const COMPACT = /^(\d{8}|\d{6})(?!\d)(.*)$/

/** The year from which two-digit years count. */
const CENTURY: Record<Era, number> = { CE: 2000, BE: 2500 }
const BE_AHEAD = 543
/** Four-digit years above this are Buddhist years. */
const LAST_CE = 2400
const FIRST_DAY = '2000-01-01'

/** Splits a cell; null when it does not begin with a date. */
export function writtenDate(cell: string, form: DateForm): WrittenDate | null {
  const text = plain(cell)
  const build = (first: string, second: string, year: string, rest: string, isOrderOpen: boolean): WrittenDate => {
    const isShort = year.length === 2
    return {
      first: Number(first),
      second: Number(second),
      isOrderOpen,
      isPadded: first.length === 2 && second.length === 2,
      year: Number(year) + (isShort ? CENTURY[form.era] : 0),
      era: isShort ? form.era : Number(year) > LAST_CE ? 'BE' : 'CE',
      rest,
    }
  }
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) return build(yearFirst[3]!, yearFirst[2]!, yearFirst[1]!, yearFirst[4]!, false)
  const numbers = NUMBERS.exec(text)
  if (numbers) {
    const [, a, b, c, rest] = numbers as unknown as [string, string, string, string, string]
    if (form.order !== 'ymd') return build(a, b, c, rest, true)
    // "26-11-18"; a year of four digits can't stand last in this order, whatever the form says.
    return c.length === 4 ? build(a, b, c, rest, true) : build(c, b, a.padStart(2, '0'), rest, false)
  }
  const named = NAMED_MONTH.exec(text)
  if (named) {
    const month = MONTH_NUMBER.get(named[2]!.toLowerCase().replaceAll('.', ''))
    return month === undefined ? null : build(named[1]!, String(month), named[3]!, named[4]!, false)
  }
  const compact = COMPACT.exec(text)
  if (!compact) return null
  const [, digits, rest] = compact as unknown as [string, string, string]
  const yearLength = digits.length - 4
  return form.order === 'ymd'
    ? build(digits.slice(-2), digits.slice(-4, -2), digits.slice(0, yearLength), rest, false)
    : build(digits.slice(0, 2), digits.slice(2, 4), digits.slice(4), rest, true)
}

/** How the dates of one file are read, decided by all of them together. */
export interface DateReading {
  order: 'dmy' | 'mdy'
  era: Era
  /** Whether the file itself proved another order than the form says. */
  isOrderTurned: boolean
  /** Whether a spreadsheet saved the file again and no day above 12 proves the order. */
  isOrderDoubtful: boolean
}

/**
 * Decides how to read dates. A number above 12 can only be a day, so it proves the order; without proof the form
 * decides. The majority decides the era.
 */
export function decideReading(dates: readonly WrittenDate[], form: DateForm): DateReading {
  const open = dates.filter(date => date.isOrderOpen)
  const provesDayFirst = open.some(({ first }) => first > 12)
  const provesMonthFirst = open.some(({ second }) => second > 12)
  const expected = form.order === 'mdy' ? 'mdy' : 'dmy'
  const proven = provesDayFirst === provesMonthFirst ? null : provesDayFirst ? 'dmy' : 'mdy'
  const buddhist = dates.filter(({ era }) => era === 'BE').length
  const common = dates.length - buddhist
  return {
    order: proven ?? expected,
    era: buddhist === common ? form.era : buddhist > common ? 'BE' : 'CE',
    isOrderTurned: proven !== null && proven !== expected,
    isOrderDoubtful:
      !provesDayFirst &&
      !provesMonthFirst &&
      open.some(({ isPadded }) => !isPadded) &&
      open.some(({ first, second }) => first !== second),
  }
}

/** The Bangkok day "YYYY-MM-DD" of a written date; a day more than one ahead of `now` is a mistake. */
export function dayOf(date: WrittenDate, reading: DateReading, now: Date): { day: string } | { problem: ProblemCode } {
  if (date.era !== reading.era) return { problem: 'DATE_MIXED_ERA' }
  const isMonthFirst = date.isOrderOpen && reading.order === 'mdy'
  const [day, month] = isMonthFirst ? [date.second, date.first] : [date.first, date.second]
  const year = date.era === 'BE' ? date.year - BE_AHEAD : date.year
  const text = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return { problem: 'DATE_INVALID' }
  if (text > bangkokDay(new Date(now.getTime() + DAY_MS))) return { problem: 'DATE_FUTURE' }
  return text < FIRST_DAY ? { problem: 'DATE_TOO_OLD' } : { day: text }
}

const TIME = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.\d+)?)? ?(?:(a|p)\.?m\.?|น\.?)?$/i

/** "8:05", "08:05:11 pm", "09.30 น." -> "HH:MM" or "HH:MM:SS" as written; null when there is none. */
export function timeOf(cell: string): { time: string | null } | { problem: ProblemCode } {
  const text = plain(cell).replace(/^[-–,T ]+/i, '')
  if (text === '') return { time: null }
  const [, hourText, minute, second, half] = TIME.exec(text) ?? []
  const hour = Number(hourText)
  const isHour = half === undefined ? hour <= 23 : hour >= 1 && hour <= 12
  if (!isHour || Number(minute) > 59 || Number(second ?? 0) > 59) return { problem: 'TIME_INVALID' }
  const shown = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return { time: [String(shown).padStart(2, '0'), minute, second].filter(part => part !== undefined).join(':') }
}
