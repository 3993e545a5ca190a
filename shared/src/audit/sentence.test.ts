import { expect, test } from 'vitest'
import type { AuditEntry } from './endpoints.ts'
import { sentenceOf, textOf } from './sentence.ts'

const said = (entry: Partial<AuditEntry>, names = {}) => textOf(sentenceOf(entry as AuditEntry, names))

test('an import of codes says how many came, and of what', () => {
  const entry = {
    action: 'voucher.import',
    subject: 'voucherBatch:0193a1b2-0000-7000-8000-000000000001',
    subjectName: 'codes · Steam 100 บาท',
    before: null,
    after: { name: 'codes', imported: 24, known: 0, costSatang: 9000 },
  }
  expect(said(entry)).toBe('นำเข้ารหัส 24 รหัส codes · Steam 100 บาท')
})

test('a price rule says of which game, what it was and what it is', () => {
  const rule = { leastSatang: 500, rounding: 'baht' }
  const entry = {
    action: 'priceRule.save',
    subject: 'priceRule:12',
    subjectName: 'ROV',
    before: { rules: [] },
    after: {
      rules: [
        { target: 'bank', basisPoints: 600, fixedSatang: 0, ...rule },
        { target: 'tier:3', basisPoints: 450, fixedSatang: 500, ...rule },
      ],
    },
  }
  const text = said(entry, { 'tier:3': 'Gold' })
  expect(text).toMatch(/^บันทึกกฎราคา ROV: ไม่มีกฎ → .* \+6%, Gold \+4.5% \+5 บาท$/)
})
