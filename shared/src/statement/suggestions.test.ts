import { describe, expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import type { Payable } from './matching.ts'
import { earliestStatementDay } from './period.ts'
import { judge, suggest } from './suggestions.ts'

const CREATED = new Date('2026-11-20T05:00:00.000Z')
const line = (amountSatang: number, seconds = 60) => ({
  day: '2026-11-20',
  at: addSeconds(CREATED, seconds),
  precisionSeconds: 60,
  receivingAccountId: 1,
  amountSatang,
})
const order = (id: string, change: Partial<Payable> = {}): Payable => ({
  target: { kind: 'order', id, no: id },
  amountSatang: 14_907,
  receivingAccountId: 1,
  status: 'waiting_payment',
  createdAt: CREATED,
  expiresAt: addSeconds(CREATED, 900),
  paidAt: null,
  endedAt: null,
  reportedAt: null,
  lineId: null,
  toldAt: null,
  isCorrected: false,
  isCreditBack: false,
  ...change,
})
const said = (of: ReturnType<typeof line>, payable: Payable) => {
  const { reasons, needs } = judge(of, payable)
  return [...reasons.map(({ tone, text }) => `${tone} ${text}`), needs]
}

describe('the words for a candidate', () => {
  test.each<[string, ReturnType<typeof line>, Payable, string[]]>([
    [
      'that fits',
      line(14_907),
      order('A', { reportedAt: CREATED }),
      ['ok ยอดตรงทุกสตางค์', 'ok เงินเข้าในเวลาของรายการ', 'ok ลูกค้าแจ้งโอนแล้ว', 'nothing'],
    ],
    [
      'paid already',
      line(14_907),
      order('A', { status: 'paid', paidAt: CREATED, lineId: 'x' }),
      ['ok ยอดตรงทุกสตางค์', 'ok เงินเข้าในเวลาของรายการ', 'warn จ่ายซ้ำ: รายการนี้มีเงินเข้าแล้ว', 'impossible'],
    ],
    [
      'cancelled',
      line(14_907),
      order('A', { status: 'cancel', endedAt: CREATED }),
      ['ok ยอดตรงทุกสตางค์', 'ok เงินเข้าในเวลาของรายการ', 'warn ยกเลิกแล้ว', 'impossible'],
    ],
    ['rounded', line(14_900), order('A'), ['warn โอนเป็นบาทถ้วน ขาด ฿0.07', 'ok เงินเข้าในเวลาของรายการ', 'reason']],
    ['too much', line(15_907), order('A'), ['warn เกิน ฿10', 'ok เงินเข้าในเวลาของรายการ', 'reason']],
    [
      'too late',
      line(14_907, 1200 + 3 * 3600),
      order('A', { status: 'expired' }),
      ['ok ยอดตรงทุกสตางค์', 'warn เงินเข้าหลังสร้างรายการ 3 ชั่วโมง 20 นาที เกินเวลาแล้ว', 'neutral หมดเวลาแล้ว', 'reason'],
    ],
    [
      'two days late',
      { ...line(14_907, 3 * 86_400), at: null as never, day: '2026-11-23' },
      order('A', { status: 'expired' }),
      [
        'ok ยอดตรงทุกสตางค์',
        'warn เงินเข้าหลังสร้างรายการ 3 วัน เกินเวลาแล้ว',
        'neutral ธนาคารบอกเฉพาะวันที่',
        'neutral หมดเวลาแล้ว',
        'reason',
      ],
    ],
    [
      'made ten minutes after the money came, on the clocks that people see',
      line(14_907, -600),
      order('A', { createdAt: addSeconds(CREATED, 20) }),
      ['ok ยอดตรงทุกสตางค์', 'warn เงินเข้าก่อนสร้างรายการ 10 นาที', 'reason'],
    ],
    [
      'elsewhere',
      line(14_907),
      order('A', { receivingAccountId: 2 }),
      ['ok ยอดตรงทุกสตางค์', 'warn คนละบัญชีรับโอน', 'ok เงินเข้าในเวลาของรายการ', 'reason'],
    ],
    [
      'on a line without time',
      { ...line(14_907), at: null as never },
      order('A'),
      ['ok ยอดตรงทุกสตางค์', 'ok เงินเข้าในเวลาของรายการ', 'neutral ธนาคารบอกเฉพาะวันที่', 'nothing'],
    ],
    [
      'in the books',
      line(14_907, 0),
      order('A', { status: 'success', paidAt: CREATED }),
      ['ok ยอดตรงทุกสตางค์', 'ok เงินเข้าในเวลาของรายการ', 'neutral บันทึกว่าได้รับเงินแล้ว ยังไม่มีรายการธนาคาร', 'nothing'],
    ],
  ])('%s', (_, of, payable, expected) => {
    expect(said(of, payable)).toEqual(expected)
  })
})

describe('candidates', () => {
  const ids = (of: ReturnType<typeof line>, payables: Payable[]) =>
    suggest(of, payables).map(({ payable }) => payable.target.id)

  test('exact before late before rounded before near', () => {
    const late = order('late', {
      createdAt: addSeconds(CREATED, -7200),
      expiresAt: addSeconds(CREATED, -6300),
      status: 'expired',
    })
    expect(
      ids(line(14_900), [
        order('near', { amountSatang: 15_900 }),
        order('rounded'),
        order('exact', { amountSatang: 14_900 }),
        { ...late, amountSatang: 14_900 },
      ]),
    ).toEqual(['exact', 'rounded', 'late', 'near'])
  })

  test('money paid a second time: what it pays twice is the best', () => {
    const paid = order('paid', { status: 'paid', paidAt: CREATED, lineId: 'x' })
    const [best] = suggest(line(14_907), [order('near', { amountSatang: 15_000 }), paid])
    expect(best).toMatchObject({ payable: { target: { id: 'paid' } }, needs: 'impossible' })
  })

  test('money that its likeliest order can not take goes back to the buyer, with why', () => {
    const [cancelled] = suggest(line(14_907), [order('A', { status: 'cancel', endedAt: CREATED })])
    const [paid] = suggest(line(14_907), [order('A', { status: 'paid', paidAt: CREATED, lineId: 'x' })])
    expect([cancelled!.goesBackFor, paid!.goesBackFor]).toEqual(['คำสั่งซื้อยกเลิกแล้ว', 'จ่ายซ้ำ'])
    // Of another amount, or with an order that can take it, it is not known to be for the cancelled one.
    const rounded = suggest(line(14_900), [order('A', { status: 'cancel', endedAt: CREATED })])
    const open = suggest(line(14_907), [order('A', { status: 'cancel', endedAt: CREATED }), order('B')])
    expect([...rounded, ...open].map(({ goesBackFor }) => goesBackFor)).toEqual([null, null, null])
    expect(open[0]).toMatchObject({ payable: { target: { id: 'B' } }, isBest: true })
  })

  test('money that came before an order was made is not its own: the order that waited for that amount is', () => {
    const made = order('later', { createdAt: addSeconds(CREATED, 600) })
    const waited = order('waited', {
      createdAt: addSeconds(CREATED, -1800),
      expiresAt: addSeconds(CREATED, -900),
      status: 'expired',
    })
    const near = order('near', { amountSatang: 15_000 })
    const best = (payables: Payable[]) =>
      suggest(line(14_907, 0), payables).map(each => [each.payable.target.id, each.isBest])
    expect(best([made, waited])).toEqual([
      ['waited', true],
      ['later', false],
    ])
    expect(best([made, near])).toEqual([
      ['near', true],
      ['later', false],
    ])
    expect(best([made])).toEqual([['later', false]])
  })

  test('a late report of that amount says that there are two', () => {
    const late = order('late', {
      createdAt: addSeconds(CREATED, -1800),
      expiresAt: addSeconds(CREATED, -900),
      status: 'expired' as const,
      reportedAt: CREATED,
    })
    const both = suggest(line(14_907), [order('A'), late])
    expect(both.map(({ payable, reasons }) => [payable.target.id, reasons.at(-1)!.text])).toEqual([
      ['A', 'มี 2 รายการที่ตรงกัน'],
      ['late', 'มี 2 รายการที่ตรงกัน'],
    ])
  })

  test('of two alike each says so', () => {
    const both = suggest(line(14_907), [order('A'), order('B')])
    expect(both.map(({ reasons }) => reasons.at(-1)!.text)).toEqual(['มี 2 รายการที่ตรงกัน', 'มี 2 รายการที่ตรงกัน'])
  })

  test('far amounts, other accounts and things of a later day are no candidates', () => {
    const later = order('later', { createdAt: addSeconds(CREATED, 7200), amountSatang: 14_900 })
    expect(
      ids(line(14_907), [order('far', { amountSatang: 40_000 }), order('elsewhere', { receivingAccountId: 2 }), later]),
    ).toEqual([])
  })
})

test.each([
  ['2026-11-20T16:59:59Z', '2026-08-20'],
  ['2026-11-20T17:00:00Z', '2026-08-21'],
  ['2026-05-31T05:00:00Z', '2026-02-28'],
  ['2026-02-10T05:00:00Z', '2025-11-10'],
])('three months before %s begin on %s', (now, day) => {
  expect(earliestStatementDay(new Date(now))).toBe(day)
})
