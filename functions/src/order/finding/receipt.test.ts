import { type OrderView, orderView } from '@shop/shared/order/endpoints.ts'
import { optionsFrom } from '@shop/shared/settings/option.ts'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import { closePaper, linesOf, openPaper } from '../../http/pdf.ts'
import { printReceipt, titleOf } from './receipt.ts'

const now = new Date('2026-11-20T07:00:00Z')

const options = optionsFrom({
  COMPANY_NAME: 'บริษัท น้ำทิพย์ดิจิทัลเอ็นเตอร์เทนเมนต์แอนด์ปั๊มพ์ (ประเทศไทย) จำกัด (มหาชน)',
  COMPANY_ADDRESS: '99/9 หมู่ที่ 4 ถนนกำแพงเพชร 6 แขวงลาดยาว\nเขตจตุจักร กรุงเทพมหานคร 10900',
  CONTACT_PHONE: '02-123-4567',
  CONTACT_EMAIL: 'shop@example.com',
})

const order: OrderView = orderView.parse({
  orderNo: 'KT2611-04821937',
  status: 'success',
  game: { code: 'pubg', name: 'PUBG Mobile', picture: '/files/games/pubg.svg' },
  package: { id: 12, name: '325 UC', delivers: 'top_up' },
  playerId: '5123456789',
  playerName: 'น้ำค้าง_TH',
  fields: [
    { name: 'field1', label: 'Player ID', value: '5123456789' },
    { name: 'field2', label: 'เซิร์ฟเวอร์', value: 'ญี่ปุ่น' },
  ],
  payment: 'bank',
  quantity: 1,
  priceSatang: 14900,
  tailSatang: 37,
  amountSatang: 14937,
  creditSatang: 0,
  dueSatang: 14937,
  receivingAccount: {
    id: 1,
    code: '004',
    logo: null,
    accountName: 'บจก. คราม เติมเกม',
    accountNo: '012-3-45678-9',
    branch: 'สยาม',
    bankName: 'กสิกรไทย',
    hasPromptPay: true,
  },
  promptPay: null,
  createdAt: '2026-11-20T05:00:00.000Z',
  expiresAt: '2026-11-20T05:15:00.000Z',
  transferReportedAt: null,
  slipId: null,
  slipCheck: null,
  paidAt: '2026-11-20T05:03:00.000Z',
  endedAt: '2026-11-20T05:20:00.000Z',
  deliveryReference: 'MB-88213-5566',
  reason: null,
  refundAskedAt: null,
  canAskRefund: false,
  creditBackSatang: 0,
  newsAddress: null,
  canGiveNewsAddress: false,
  ahead: null,
  expected: null,
  buyer: {
    name: 'ผู้ใหญ่ กำลังดี ณ อยุธยา',
    email: 'a@example.com',
    tel: '+66812345678',
    lineId: null,
    hasFacebook: false,
  },
  termsVersion: '1',
  termsAcceptedAt: '2026-11-20T05:00:00.000Z',
  warning: '',
  trackToken: 't',
  usualMinutes: { from: 5, to: 15 },
  canReport: false,
  canAddSlip: false,
  addSlipBy: null,
  canCancel: false,
  canCorrect: false,
  refunds: [],
  canGivePayee: false,
  canTakeCredit: false,
  charge: null,
  codes: null,
  proposedFields: null,
  playerChange: null,
  reduction: null,
  timeline: [],
  nowDate: now.toISOString(),
})

/** The text of each line of a PDF's first page. */
async function linesIn(pdf: Uint8Array): Promise<string[]> {
  const file = await getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 }).promise
  const { items } = await (await file.getPage(1)).getTextContent({ disableNormalization: true })
  expect(file.numPages).toBe(1)
  return items
    .map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join('')
    .split('\n')
}

async function copied(text: string): Promise<string> {
  const paper = openPaper({ title: 'test', margin: 40 })
  paper.setFont('regular', 12)
  paper.document.text(text, 40, 40, { lineBreak: false })
  return (await linesIn(await closePaper(paper))).join('')
}

describe('Thai on paper is copied out as it was written', () => {
  test.each([
    'น้ำ กำลัง คำ ค่ำ ซ้ำ ต่ำ จำนวน',
    'ที่นี่ ปั๊ม ผู้ใหญ่ ฟื้นฟู ญี่ปุ่น กู้ ฐู ปิ่น',
    'ป่า ฝ้าย ฟ้า น้ำป่า ตา ยา',
    '฿1,234.50 KT2611-04821937',
  ])('%s', async text => {
    expect(await copied(text)).toBe(text)
  })
})

test('a receipt says who sold what to whom, for how much, how and when', async () => {
  const text = (await linesIn(await printReceipt(order, options, now))).join('\n')
  for (const part of [
    'ใบรับเงิน',
    'KT2611-04821937',
    'สถานะ: สำเร็จ',
    'ผู้ใหญ่ กำลังดี ณ อยุธยา',
    '0812345678',
    '20/11/2026 12:00:00',
    '20/11/2026 12:03:00',
    'โอนเงินธนาคาร',
    'กสิกรไทย 012-3-45678-9',
    '5123456789 · น้ำค้าง_TH',
    'ญี่ปุ่น',
    'MB-88213-5566',
    'PUBG Mobile · 325 UC',
    '149.00',
    '0.37',
    '฿149.37',
    'กำแพงเพชร',
    '02-123-4567',
    'เอกสารนี้ไม่ใช่ใบกำกับภาษี',
  ])
    expect(text).toContain(part)
})

test.each([
  ['☬𝕂𝕀ℕ𝔾☬', '?KING?'],
  ['ｆｕｌｌ①', 'full1'],
  ['z̷a̶l̸g̵o', 'zalgo'],
  ['น้ำ\u200bค้าง', 'น้ำค้าง'],
  ['👨‍👩‍👧 王者', '? ??'],
  ['a\r\nb', 'ab'],
])('a name in signs that the font lacks, %s, is printed as %s and never as a box', async (playerName, printed) => {
  const text = (await linesIn(await printReceipt({ ...order, playerName }, options, now))).join('\n')
  expect(text.replace(/\n/g, '')).toContain(`5123456789 · ${printed}`)
})

test.each([
  ['waiting_payment', 'ใบยืนยันคำสั่งซื้อ'],
  ['expired', 'ใบยืนยันคำสั่งซื้อ'],
  ['cancel', 'ใบยืนยันคำสั่งซื้อ'],
  ['paid', 'ใบรับเงิน'],
  ['success', 'ใบรับเงิน'],
  ['failed', 'ใบรับเงิน'],
  ['refunding', 'ใบรับเงิน (รอโอนคืน)'],
  ['refunded', 'ใบรับเงิน (คืนเงินแล้ว)'],
] as const)('an order that is %s has a %s', (status, title) => {
  expect(titleOf({ status })).toBe(title)
})

test('long texts are broken between words, within the width and without a letter lost', () => {
  const paper = openPaper({ title: 'test', margin: 40 })
  paper.setFont('regular', 11)
  const text = `${'บริษัทน้ำทิพย์ดิจิทัลเอ็นเตอร์เทนเมนต์จำกัด'.repeat(3)} ${'กำ'.repeat(60)}`
  const lines = linesOf(paper, text, 180)
  expect(lines.length).toBeGreaterThan(4)
  expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  for (const line of lines) {
    expect(paper.document.widthOfString(line)).toBeLessThanOrEqual(180)
    // No line begins with a mark that belongs to the letter before it.
    expect(line).not.toMatch(/^[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/)
  }
})

test('the longest names stay on one page', async () => {
  const long = 'น้ำผึ้งเดือนห้า'
  const pdf = await printReceipt(
    {
      ...order,
      game: { ...order.game, name: long.repeat(6) },
      package: { id: 123_456, name: long.repeat(6), delivers: 'top_up' },
      playerName: long.repeat(4),
      buyer: { ...order.buyer!, name: long.repeat(12), email: `${'a'.repeat(60)}@${'b'.repeat(120)}.example.com` },
      deliveryReference: 'X'.repeat(200),
    },
    options,
    now,
  )
  expect((await linesIn(pdf)).join('').replaceAll(' ', '').split(long)).toHaveLength(6 + 6 + 4 + 12 + 1)
})
