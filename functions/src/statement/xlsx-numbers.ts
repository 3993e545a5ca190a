/** How a cell's style shows its number. */
export type ShownAs = 'number' | 'date' | 'time' | 'date-time' | 'minute-time' | 'date-minute-time'

/** The formats that every workbook has without defining them; 71 to 81 are the Thai ones. */
const BUILT_IN: readonly { from: number; to: number; as: ShownAs }[] = [
  { from: 14, to: 17, as: 'date' },
  { from: 18, to: 18, as: 'minute-time' },
  { from: 19, to: 19, as: 'time' },
  { from: 20, to: 20, as: 'minute-time' },
  { from: 21, to: 21, as: 'time' },
  { from: 22, to: 22, as: 'date-minute-time' },
  { from: 27, to: 31, as: 'date' },
  { from: 32, to: 35, as: 'time' },
  { from: 36, to: 36, as: 'date' },
  { from: 45, to: 47, as: 'time' },
  { from: 50, to: 58, as: 'date' },
  { from: 71, to: 74, as: 'date' },
  { from: 75, to: 80, as: 'time' },
  { from: 81, to: 81, as: 'date' },
]

const WORDS = ['am/pm', 'a/p', 'general']

/**
 * Returns where a part of a format ends that is not a format letter, such as quoted words, colours and languages. [h]
 * is a letter: it counts hours.
 */
function endOfOther(code: string, at: number, last: { quote: number; bracket: number }): number {
  const sign = code[at]!
  if (sign === '"' && at < last.quote) return code.indexOf('"', at + 1) + 1
  if (sign === '[' && at < last.bracket) {
    const end = code.indexOf(']', at) + 1
    return /^\[(h+|m+|s+)\]$/.test(code.slice(at, end)) ? at : end
  }
  if ('\\_*'.includes(sign)) return at + 2
  const word = WORDS.find(each => code.startsWith(each, at))
  return at + (word?.length ?? 0)
}

/** Returns the letters of a format, in one pass, because a file may use any text as its format. */
function lettersOf(code: string): string {
  const last = { quote: code.lastIndexOf('"'), bracket: code.lastIndexOf(']') }
  const letters: string[] = []
  for (let at = 0; at < code.length; ) {
    const end = endOfOther(code, at, last)
    if (end === at) letters.push(code[at]!)
    at = end === at ? at + 1 : end
  }
  return letters.join('')
}

/** Tells how a format shows numbers; `codes` holds the formats that the workbook defines, by number. */
export function shownAs(format: number, codes: ReadonlyMap<number, string>): ShownAs {
  const code = codes.get(format)
  if (code === undefined) return BUILT_IN.find(({ from, to }) => format >= from && format <= to)?.as ?? 'number'
  // Only the part for positive numbers counts.
  const bare = lettersOf(code.split(';', 1)[0]!.toLowerCase())
  const hasDay = /[ydb]/.test(bare)
  const hasTime = /h|s/.test(bare)
  if (!hasTime) return hasDay || bare.includes('mmm') ? 'date' : 'number'
  const hasSeconds = bare.includes('s')
  if (hasDay) return hasSeconds ? 'date-time' : 'date-minute-time'
  return hasSeconds ? 'time' : 'minute-time'
}

/** Spreadsheets count days from this day; some count from 1904. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const DAYS_TO_1904 = 1462
const SECONDS_A_DAY = 86_400

/**
 * Returns a number as a person sees it: 15 digits without traces of binary fractions; dates and times as "YYYY-MM-DD
 * HH:MM:SS".
 */
export function shownNumber(value: string, as: ShownAs, is1904: boolean): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (as === 'number') return String(Number(number.toPrecision(15)))
  const seconds = Math.round((number + (is1904 ? DAYS_TO_1904 : 0)) * SECONDS_A_DAY)
  const moment = new Date(DAY_ZERO + seconds * 1000)
  if (number < 0 || Number.isNaN(moment.getTime())) return value
  const [day, time] = moment.toISOString().slice(0, 19).split('T') as [string, string]
  const hasTime = as !== 'date' || seconds % SECONDS_A_DAY !== 0
  const shownTime = as.includes('minute') && time.endsWith(':00') ? time.slice(0, 5) : time
  return [as.includes('date') ? day : '', hasTime ? shownTime : ''].filter(text => text !== '').join(' ')
}
