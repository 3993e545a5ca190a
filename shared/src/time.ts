/**
 * The shop lives in Asia/Bangkok (UTC+7, no daylight saving). Instants are `Date`s or ISO strings with Z;
 * a Bangkok calendar day is the string "YYYY-MM-DD". Shown years are CE. The apps show dates by web/src/dates.ts.
 */
const BANGKOK_OFFSET_MS = 7 * 3_600_000
export const DAY_MS = 86_400_000
/** Opening hours in Bangkok, "HH:MM-HH:MM"; they may pass midnight. */
export const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

/** Returns the Bangkok calendar day of an instant, "YYYY-MM-DD". */
export function bangkokDay(instant: Date): string {
  return new Date(instant.getTime() + BANGKOK_OFFSET_MS).toISOString().slice(0, 10)
}

/** Returns that day as a number, which grows by one every day. */
export const bangkokDayNumber = (instant: Date): number => Math.floor((instant.getTime() + BANGKOK_OFFSET_MS) / DAY_MS)

/** Returns 00:00 in Bangkok of a day "YYYY-MM-DD". */
export function startOfBangkokDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - BANGKOK_OFFSET_MS)
}

/** Returns the half-open interval [from, to) of a Bangkok month "YYYY-MM". */
export function bangkokMonth(month: string): { from: Date; to: Date } {
  const [year, monthNumber] = month.split('-').map(Number) as [number, number]
  const next = monthNumber === 12 ? `${year + 1}-01` : `${year}-${String(monthNumber + 1).padStart(2, '0')}`
  return { from: startOfBangkokDay(`${month}-01`), to: startOfBangkokDay(`${next}-01`) }
}

/** Returns the Bangkok month of an instant, "YYYY-MM". */
export function bangkokMonthOf(instant: Date): string {
  return bangkokDay(instant).slice(0, 7)
}

export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000)
}

function parts(instant: Date | string): { day: string; month: string; year: string; time: string } {
  const local = new Date(new Date(instant).getTime() + BANGKOK_OFFSET_MS).toISOString()
  return { day: local.slice(8, 10), month: local.slice(5, 7), year: local.slice(0, 4), time: local.slice(11, 19) }
}

/** "20/11/2026 14:13:05" */
export function formatDateTimeSeconds(instant: Date | string): string {
  const { day, month, year, time } = parts(instant)
  return `${day}/${month}/${year} ${time}`
}

/** "20/11/2026" for a day "YYYY-MM-DD". */
export const formatDay = (day: string): string => day.split('-').reverse().join('/')

/** "20/11/2026 14:13" */
export function formatDateTime(instant: Date | string): string {
  return formatDateTimeSeconds(instant).slice(0, 16)
}

/** Rounds an instant up to a full minute, so that a shown time without seconds is never too early. */
export const wholeMinute = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / 60_000) * 60_000)

/** "14:13 น." */
export function formatClock(instant: Date | string): string {
  return `${parts(instant).time.slice(0, 5)} น.`
}

const THAI_MONTHS = ['ม.ค.', 'ก.พ.', 'มี.ค.', 'เม.ย.', 'พ.ค.', 'มิ.ย.', 'ก.ค.', 'ส.ค.', 'ก.ย.', 'ต.ค.', 'พ.ย.', 'ธ.ค.']

/** "20 พ.ย. · 14:13 น." */
export function formatShort(instant: Date | string): string {
  const { day, month } = parts(instant)
  return `${Number(day)} ${THAI_MONTHS[Number(month) - 1]} · ${formatClock(instant)}`
}
