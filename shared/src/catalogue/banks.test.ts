import { expect, test } from 'vitest'
import { BANKS, bankOf } from './banks.ts'

/** WCAG contrast of white text on a ground "#rrggbb". */
function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

test('every bank is told apart by code and by name', () => {
  for (const key of ['code', 'shortCode', 'bankName', 'niceName'] as const)
    expect(new Set(BANKS.map(bank => bank[key])).size).toBe(BANKS.length)
  for (const { code, shortCode } of BANKS) {
    expect(code).toMatch(/^\d{3}$/)
    expect(shortCode).toMatch(/^[A-Z]{2,5}$/)
  }
})

test('white text can be read on every bank colour', () => {
  for (const { color } of [...BANKS, bankOf('999')]) expect(contrastWithWhite(color)).toBeGreaterThanOrEqual(4.5)
})

test('a bank is found by its code, ttb also by its old one', () => {
  expect(BANKS.map(({ code }) => bankOf(code))).toEqual(BANKS)
  expect(bankOf('076')).toBe(bankOf('011'))
})

test('an unknown code is named as such, never guessed', () => {
  expect(bankOf('999')).toMatchObject({
    code: '999',
    shortCode: '999',
    bankName: 'ธนาคารอื่น (รหัส 999)',
    niceName: 'ธนาคารอื่น (รหัส 999)',
  })
})
