import { expect, test } from 'vitest'
import { playerFormatProblem, readPlayerValue } from './player-format.ts'

test('digits are counted and nothing else is one', () => {
  const problem = (value: string) => playerFormatProblem({ kind: 'digits', min: 5, max: 12 }, value)
  for (const good of ['12345', '123456789012']) expect(problem(good)).toBeNull()
  for (const bad of ['1234', '1234567890123', '12345a', '๑๒๓๔๕', '12345\n'])
    expect(problem(bad)).toBe('กรุณากรอกตัวเลข 5–12 หลัก')
})

test('letters are counted as people see them, a choice is one of the list', () => {
  const text = { kind: 'text', min: 2, max: 2 } as const
  expect(playerFormatProblem(text, '😀😀')).toBeNull()
  expect(playerFormatProblem(text, 'abc')).toBe('กรุณากรอก 2 ตัวอักษร')
  const choices = { kind: 'choices' as const, choices: ['Asia', 'Europe'] }
  expect(playerFormatProblem(choices, 'Asia')).toBeNull()
  expect(playerFormatProblem(choices, 'asia')).toBe('กรุณาเลือกจากรายการ')
  expect(playerFormatProblem(null, 'anything')).toBeNull()
  expect(playerFormatProblem(null, 'ก'.repeat(101))).toBe('กรุณากรอกไม่เกิน 100 ตัวอักษร')
})

test('an id of digits is read as games show it and as Thai keyboards type it; other texts stay as they are', () => {
  const digits = { kind: 'digits' as const, min: 5, max: 12 }
  for (const typed of ['81234 5678-9', ' 812345678–9', '๘๑๒๓๔๕๖๗๘๙'])
    expect(readPlayerValue(digits, typed)).toBe('8123456789')
  expect(readPlayerValue(digits, '8123x')).toBe('8123x')
  expect(readPlayerValue({ kind: 'text', min: 1, max: 20 }, 'Nam #12-3')).toBe('Nam #12-3')
  expect(readPlayerValue(null, 'Nam 12-3')).toBe('Nam 12-3')
})
