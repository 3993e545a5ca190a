import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DateForm, type DateOrder, dayOf, decideReading, type Era, timeOf, writtenDate } from './cell-date.ts'

const NOW = new Date('2026-11-21T05:00:00Z')
const form = (order: DateOrder = 'dmy', era: Era = 'CE'): DateForm => ({ order, era })

/** The days of a file's cells, or what is wrong with them. */
function daysOf(cells: string[], dates: DateForm, now = NOW): (string | null)[] {
  const written = cells.map(cell => writtenDate(cell, dates))
  const reading = decideReading(
    written.filter(date => date !== null),
    dates,
  )
  return written.map(date => {
    if (!date) return null
    const day = dayOf(date, reading, now)
    return 'day' in day ? day.day : day.problem
  })
}

const THAI = ['ม.ค.', 'ก.พ.', 'มี.ค.', 'เม.ย.', 'พ.ค.', 'มิ.ย.', 'ก.ค.', 'ส.ค.', 'ก.ย.', 'ต.ค.', 'พ.ย.', 'ธ.ค.']
const FULL = 'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม'.split(' ')
const ENGLISH = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const anyDay = fc.date({ min: new Date('2000-01-01'), max: new Date('2026-11-20'), noInvalidDate: true })

test('every day is read back from every way banks write it', () => {
  fc.assert(
    fc.property(anyDay, moment => {
      const day = moment.toISOString().slice(0, 10)
      const [y, m, d] = day.split('-') as [string, string, string]
      const be = String(Number(y) + 543)
      const month = Number(m) - 1
      const ways: [string, DateForm][] = [
        ...['-', '/', '.', ' '].map((sign): [string, DateForm] => [[d, m, y].join(sign), form()]),
        [[d, m, y.slice(2)].join('-'), form()],
        [[d, m, be].join('/'), form('dmy', 'CE')],
        [[d, m, be.slice(2)].join('/'), form('dmy', 'BE')],
        [[m, d, y].join('/'), form('mdy')],
        [day, form()],
        [day, form('ymd')],
        [[y.slice(2), m, d].join('-'), form('ymd')],
        [[Number(d), Number(m), y].join('/'), form()],
        [`${Number(d)} ${THAI[month]} ${be}`, form('dmy', 'BE')],
        [`${Number(d)} ${THAI[month]!.replaceAll('.', '')} ${be.slice(2)}`, form('dmy', 'BE')],
        [`${d} ${FULL[month]} ${be}`, form('dmy', 'BE')],
        [`${d}-${ENGLISH[month]}-${y.slice(2)}`, form()],
        [y + m + d, form('ymd')],
        [d + m + y, form()],
        [d + m + be.slice(2), form('dmy', 'BE')],
        [day.replace(/\d/g, digit => String.fromCharCode(0x0e50 + Number(digit))), form()],
      ]
      for (const [text, dates] of ways) expect(daysOf([text], dates), text).toEqual([day])
    }),
  )
})

test('a day must be in the calendar', () => {
  expect(
    daysOf(['31/11/2026', '29/02/2025', '29/02/2024', '0/5/2026', '00/05/2026', '10/13/2026', '32/01/2026'], form()),
  ).toEqual([
    'DATE_INVALID',
    'DATE_INVALID',
    '2024-02-29',
    'DATE_INVALID',
    'DATE_INVALID',
    'DATE_INVALID',
    'DATE_INVALID',
  ])
  expect(daysOf(['', 'วันที่', '18/11', '18 พฤ 2569', '123456789', '18/11/202', '18/11/20261'], form())).toEqual(
    Array(7).fill(null),
  )
})

test('tomorrow in Bangkok is the last day, the year 2000 the first', () => {
  // 23:30 in Bangkok on the 21st, then 00:30 on the 22nd.
  const days = ['22/11/2026', '23/11/2026']
  expect(daysOf(days, form(), new Date('2026-11-21T16:30:00Z'))).toEqual(['2026-11-22', 'DATE_FUTURE'])
  expect(daysOf(days, form(), new Date('2026-11-21T17:30:00Z'))).toEqual(['2026-11-22', '2026-11-23'])
  expect(daysOf(['31/12/1999', '01/01/2000'], form())).toEqual(['DATE_TOO_OLD', '2000-01-01'])
})

test('two-digit years count as the layout says; the wrong era is far away', () => {
  expect(daysOf(['18/11/26'], form('dmy', 'CE'))).toEqual(['2026-11-18'])
  expect(daysOf(['18/11/69'], form('dmy', 'BE'))).toEqual(['2026-11-18'])
  expect(daysOf(['18/11/69'], form('dmy', 'CE'))).toEqual(['DATE_FUTURE'])
  expect(daysOf(['18/11/26'], form('dmy', 'BE'))).toEqual(['DATE_TOO_OLD'])
})

test('2569 and 2026 in one file: the fewer ones are wrong, the layout decides a draw', () => {
  expect(daysOf(['18/11/2026', '19/11/2569', '20/11/2026'], form())).toEqual([
    '2026-11-18',
    'DATE_MIXED_ERA',
    '2026-11-20',
  ])
  expect(daysOf(['18/11/2569', '19/11/2569', '20/11/2026'], form())).toEqual([
    '2026-11-18',
    '2026-11-19',
    'DATE_MIXED_ERA',
  ])
  expect(daysOf(['18/11/2569', '20/11/2026'], form('dmy', 'CE'))).toEqual(['DATE_MIXED_ERA', '2026-11-20'])
  expect(daysOf(['18/11/2569', '20/11/2026'], form('dmy', 'BE'))).toEqual(['2026-11-18', 'DATE_MIXED_ERA'])
  expect(daysOf(['18/11/26', '20/11/2569', '20/11/26'], form())).toEqual(['2026-11-18', 'DATE_MIXED_ERA', '2026-11-20'])
})

test('a day above 12 proves the order; without proof the layout decides', () => {
  expect(daysOf(['11/12/2025', '12/11/2025'], form('dmy'))).toEqual(['2025-12-11', '2025-11-12'])
  expect(daysOf(['11/12/2025', '12/11/2025'], form('mdy'))).toEqual(['2025-11-12', '2025-12-11'])
  expect(daysOf(['11/12/2025', '11/13/2025'], form('dmy'))).toEqual(['2025-11-12', '2025-11-13'])
  expect(daysOf(['11/12/2025', '13/11/2025'], form('mdy'))).toEqual(['2025-12-11', '2025-11-13'])
  // 12 proves nothing.
  expect(daysOf(['12/11/2025'], form('dmy'))).toEqual(['2025-11-12'])
  // Both proven: the layout's order, and the others are no days.
  expect(daysOf(['13/11/2025', '11/13/2025'], form('dmy'))).toEqual(['2025-11-13', 'DATE_INVALID'])
  // A month by its name is in no doubt.
  expect(daysOf(['5 พ.ย. 2569', '11/13/2568'], form('dmy'))).toEqual(['2026-11-05', '2025-11-13'])
})

test('doubt is told only where a spreadsheet may have turned day and month', () => {
  const read = (cells: string[]) =>
    decideReading(
      cells.map(cell => writtenDate(cell, form())!),
      form(),
    )
  expect(read(['06/12/2025'])).toMatchObject({ isOrderDoubtful: false, isOrderTurned: false })
  expect(read(['6/12/2025'])).toMatchObject({ isOrderDoubtful: true, isOrderTurned: false })
  expect(read(['6/6/2025'])).toMatchObject({ isOrderDoubtful: false })
  expect(read(['6/12/2025', '13/6/2025'])).toMatchObject({ isOrderDoubtful: false, isOrderTurned: false })
  expect(read(['6/12/2025', '6/13/2025'])).toMatchObject({ isOrderDoubtful: false, isOrderTurned: true, order: 'mdy' })
  expect(read(['2025-6-1'])).toMatchObject({ isOrderDoubtful: false })
})

test.each([
  ['', null],
  ['8:05', '08:05'],
  ['08:05', '08:05'],
  ['08:05:11', '08:05:11'],
  ['08:05:11.123', '08:05:11'],
  ['T08:05:11', '08:05:11'],
  [' - 09:15', '09:15'],
  ['09.30 น.', '09:30'],
  ['๐๙:๓๐', '09:30'],
  ['00:00', '00:00'],
  ['23:59:59', '23:59:59'],
  ['12:01:07 am', '00:01:07'],
  ['12:00 PM', '12:00'],
  ['1:00 p.m.', '13:00'],
  ['11:59:58 pm', '23:59:58'],
])('the time "%s" is %s', (text, time) => {
  expect(timeOf(text)).toEqual({ time })
})

test.each(['24:00', '08:60', '08:05:60', '13:00 pm', '0:30 am', '8', '8:5', 'abc', '08:05 xx'])(
  '"%s" is no time',
  text => {
    expect(timeOf(text)).toEqual({ problem: 'TIME_INVALID' })
  },
)
