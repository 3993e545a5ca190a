import { expect, test } from 'vitest'
import { guessMapping } from './guess-mapping.ts'
import { LAYOUT, LAYOUTS, layoutMapping, recognise } from './layouts.ts'
import { columnMapping } from './mapping.ts'
import { readRows } from './read-rows.ts'

const KRUNGSRI = ['18/11/2026 08:05:11', '', '100.07', '12,600.07', 'TN', 'รับโอนเงิน', 'MOBILE', '0000']

/** The first name of each heading of a layout. */
function headingsOf(name: (typeof LAYOUTS)[number]): string[] {
  const { details, ...others } = LAYOUT[name].headings!
  return [...Object.values(others), ...details].map(names => names[0]!)
}
const withHeadings = LAYOUTS.filter(name => LAYOUT[name].headings)

test.each(withHeadings)('%s is recognised by its headings in any order, and only with all of them', name => {
  const headings = [...new Set(headingsOf(name))].reverse()
  const mapping = layoutMapping(name, [['a title'], headings])
  expect(columnMapping.parse(mapping)).toEqual(mapping)
  expect(mapping).toMatchObject({ headerRow: 1, header: headings, bank: LAYOUT[name].bank })
  expect(recognise([[], headings.map(text => ` ${text.toUpperCase()}\n`)])).toBe(name)
  for (const heading of headings) expect(layoutMapping(name, [headings.filter(text => text !== heading)])).toBeNull()
})

test('headings are looked for in the first 60 rows', () => {
  const headings = headingsOf('bbl-ibanking')
  const above = (count: number) => [...Array.from({ length: count }, () => ['']), headings]
  expect(recognise(above(59))).toBe('bbl-ibanking')
  expect(recognise(above(60))).toBeNull()
})

test('without headings the shape of most rows tells', () => {
  const opening = ['', '', '', '12,500.00', 'B/F', '', '', '']
  expect(recognise([opening, KRUNGSRI])).toBe('krungsri-inquiry')
  expect(recognise([opening, KRUNGSRI, ['18/11/2026 09:']])).toBe('krungsri-inquiry')
  expect(recognise([opening, KRUNGSRI, ['x'], ['y']])).toBeNull()
  expect(recognise([KRUNGSRI.with(4, 'tn')])).toBeNull()
  expect(recognise([KRUNGSRI.with(3, '12600')])).toBeNull()
  expect(recognise([KRUNGSRI.slice(0, 5)])).toBeNull()
  expect(recognise([])).toBeNull()
  expect(recognise([['']])).toBeNull()
})

test('for an unknown bank the first guess reads a plain file', () => {
  const rows = [
    ['ธนาคารใหม่'],
    ['ลำดับ', 'วันที่ทำรายการ', 'เวลา', 'รายละเอียด', 'เงินออก', 'เงินเข้า', 'ยอดคงเหลือ', 'ช่องทาง'],
    ['1', '18/11/2026', '08:05', 'โอน', '', '100.07', '100.07', 'ATM'],
  ]
  const mapping = guessMapping(rows, '030')
  expect(columnMapping.parse(mapping)).toEqual(mapping)
  expect(mapping).toMatchObject({ headerRow: 1, bank: '030', detailColumns: [3], channelColumn: 7 })
  const { lines, problems } = readRows(rows, mapping, { now: new Date('2026-11-21T05:00:00Z') })
  expect(problems).toEqual([])
  expect(lines).toMatchObject([{ date: '2026-11-18', time: '08:05', amountSatang: 10_007, balanceSatang: 10_007 }])
})

test('a first guess for one column of amounts, and for no headings at all', () => {
  expect(guessMapping([['Date', 'Description', 'Amount']], null)).toMatchObject({
    headerRow: 0,
    amount: { style: 'signed', column: 2 },
    balanceColumn: null,
  })
  expect(guessMapping([['1', '2']], null)).toMatchObject({ headerRow: null, header: [] })
  expect(guessMapping([], null)).toMatchObject({ headerRow: null, header: [] })
})
