import { bangkokDay, bangkokMonthOf, DAY_MS } from '@shop/shared/time.ts'
import dayjs, { type ConfigType, type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc'
import 'dayjs/locale/th'

// How both sites show and calculate dates: in Bangkok time, which has no summer time, in Thai, with years CE.

dayjs.extend(utc)
const BANGKOK_OFFSET_MINUTES = 7 * 60

/**
 * An instant as Bangkok's clocks and calendars show it. Only to be shown: counting days on it (`add`, `startOf`, `isSame`)
 * goes wrong by an hour where this browser changes its clocks; `@shop/shared/time.ts` counts.
 */
export const inBangkok = (instant: ConfigType): Dayjs => dayjs(instant).utcOffset(BANGKOK_OFFSET_MINUTES).locale('th')

/** Bangkok's date and time as if they were this browser's own, which is what a date field shows; and back. */
export const toBangkokClock = (instant: ConfigType): Dayjs => dayjs(inBangkok(instant).format('YYYY-MM-DDTHH:mm:ss'))
export const fromBangkokClock = (clock: Dayjs): Date => clock.utcOffset(BANGKOK_OFFSET_MINUTES, true).toDate()

/** "20/11/2026 14:13:05" */
export const formatDateTimeSeconds = (instant: ConfigType): string => inBangkok(instant).format('DD/MM/YYYY HH:mm:ss')

/** "20/11/2026 14:13" */
export const formatDateTime = (instant: ConfigType): string => inBangkok(instant).format('DD/MM/YYYY HH:mm')

/** "14:13 น." */
export const formatClock = (instant: ConfigType): string => inBangkok(instant).format('HH:mm [น.]')

/** "20 พ.ย. · 14:13 น." */
export const formatShort = (instant: ConfigType): string => inBangkok(instant).format('D MMM · HH:mm [น.]')

/** "20/11/2026" for a day "YYYY-MM-DD". */
export const formatDay = (day: string): string => dayjs(day).format('DD/MM/YYYY')

/** "พ.ย. 2026" for a month "YYYY-MM". */
export const formatMonth = (month: string): string => dayjs(month).locale('th').format('MMM YYYY')

/** "20 พ.ย." for a day "YYYY-MM-DD", "พ.ย." for a month "YYYY-MM". */
export const formatStep = (dayOrMonth: string): string =>
  dayjs(dayOrMonth)
    .locale('th')
    .format(dayOrMonth.length === 'YYYY-MM'.length ? 'MMM' : 'D MMM')

/** The Bangkok day after an instant's, "YYYY-MM-DD". */
export const dayAfter = (instant: ConfigType): string => bangkokDay(new Date(dayjs(instant).valueOf() + DAY_MS))

/** The Bangkok month of an instant and those before it, latest first, "YYYY-MM": `count` in all. */
export const listRecentMonths = (now: ConfigType, count: number): string[] => {
  const [year, month] = bangkokMonthOf(dayjs(now).toDate()).split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  )
}
