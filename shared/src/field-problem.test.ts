import { expect, test } from 'vitest'
import * as z from 'zod'
import { fieldProblemOf } from './field-problem.ts'
import { line } from './line.ts'
import { satang } from './wire.ts'

const problemOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse({ value }, { error: fieldProblemOf }).error?.issues[0]?.message

const name = z.object({ value: line(5).min(1) })
const long = z.object({ value: z.string().min(8) })
const count = z.object({ value: z.int().min(1).max(1000) })
const list = z.object({ value: z.array(z.string()).min(2).max(3) })
const typed = z.object({ value: z.coerce.number().int().min(1) })

test.each([
  ['missing', name, undefined, 'กรุณากรอกข้อมูล'],
  ['null', name, null, 'กรุณากรอกข้อมูล'],
  ['empty', name, '', 'กรุณากรอกข้อมูล'],
  ['blank', name, '   ', 'กรุณากรอกข้อมูล'],
  ['a number for a text', name, 5, 'ต้องเป็นข้อความ'],
  ['too long', name, 'abcdef', 'ต้องไม่เกิน 5 ตัวอักษร'],
  ['too short', long, 'abc', 'ต้องมีอย่างน้อย 8 ตัวอักษร'],
  ['no number', count, undefined, 'กรุณากรอกข้อมูล'],
  ['a text for a number', count, '12', 'ต้องเป็นตัวเลข'],
  ['letters for a number', typed, 'twelve', 'ต้องเป็นตัวเลข'],
  ['decimals', count, 1.5, 'ต้องเป็นจำนวนเต็ม'],
  ['negative', count, -1, 'ต้องไม่ติดลบ'],
  ['below the least', count, 0, 'ต้องไม่น้อยกว่า 1'],
  ['above the most', count, 1001, 'ต้องไม่เกิน 1,000'],
  ['above zero only', z.object({ value: z.int().positive() }), 0, 'ต้องมากกว่า 0'],
  ['too few', list, ['a'], 'ต้องมีอย่างน้อย 2 รายการ'],
  ['too many', list, ['a', 'b', 'c', 'd'], 'ต้องไม่เกิน 3 รายการ'],
  ['another choice', z.object({ value: z.enum(['bank', 'wallet']) }), 'cash', 'ต้องเป็นค่าใดค่าหนึ่งใน bank, wallet'],
  ['yes or no', z.object({ value: z.boolean() }), 'yes', 'ต้องเป็น true หรือ false'],
  ['no email', z.object({ value: z.email() }), 'nobody', 'กรุณากรอกอีเมลให้ถูกต้อง'],
  ['a pattern', z.object({ value: z.string().regex(/^\d{4}$/) }), 'ab', 'รูปแบบไม่ถูกต้อง'],
  ['unknown fields', z.strictObject({}), 1, 'ไม่รู้จัก value'],
] as const)('%s', (_, schema, value, text) => {
  expect(problemOf(schema, value)).toBe(text)
})

test('an amount is told in baht', () => {
  const amount = z.object({ value: z.object({ priceSatang: satang.min(100).max(100_000_00) }) })
  expect(problemOf(amount, { priceSatang: 100_000_01 })).toBe('ต้องไม่เกิน 100,000.00 บาท')
  expect(problemOf(amount, { priceSatang: 99 })).toBe('ต้องไม่น้อยกว่า 1.00 บาท')
  expect(problemOf(amount, { priceSatang: -1 })).toBe('ต้องไม่ติดลบ')
  expect(problemOf(amount, { priceSatang: 1.5 })).toBe('ต้องเป็นจำนวนเต็ม')
})

test("a schema's own words come first", () => {
  const pin = z.object({ value: z.string().regex(/^\d{4}$/, 'PIN (ตัวเลข 4 หลัก)') })
  expect(problemOf(pin, '12')).toBe('PIN (ตัวเลข 4 หลัก)')
})
