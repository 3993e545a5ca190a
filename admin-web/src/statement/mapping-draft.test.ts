import { guessMapping } from '@shop/shared/statement/guess-mapping.ts'
import { columnMapping } from '@shop/shared/statement/mapping.ts'
import { expect, test } from 'vitest'
import { draftOf, giveRole, mappingOf, rolesFor } from './mapping-draft.ts'

const rows = [
  ['รายการเดินบัญชี'],
  ['วันที่', 'เวลา', 'รายการ', 'เงินออก', 'เงินเข้า', 'คงเหลือ'],
  ['20/11/2026', '13:58', 'รับโอน', '', '279.00', '1,279.00'],
]
const guessed = draftOf(guessMapping(rows, '004'))

test('a finished draft gives the mapping it was made of, in the form the API takes', () => {
  const result = mappingOf(guessed, rows)
  expect(result).toEqual({ mapping: guessMapping(rows, '004') })
  expect(columnMapping.safeParse('mapping' in result && result.mapping).success).toBe(true)
})

test('a role moves from one column to another; details may be several', () => {
  const moved = giveRole(giveRole(guessed, 0, 'deposit'), 5, 'detail')
  expect(moved.roles).toEqual({ 0: 'deposit', 1: 'time', 2: 'detail', 3: 'withdrawal', 5: 'detail' })
  expect(mappingOf(moved, rows)).toEqual({ missing: ['กรุณาเลือกคอลัมน์วันที่'] })
  expect(giveRole(moved, 5, null).roles[5]).toBeUndefined()
})

test.each([
  ['signed', { 1: 'amount' }, { style: 'signed', column: 1 }],
  ['balance', { 1: 'amount', 2: 'balance' }, { style: 'balance', column: 1 }],
  [
    'direction',
    { 1: 'amount', 2: 'direction' },
    { style: 'direction', column: 1, directionColumn: 2, inWords: ['CR'], outWords: ['DR'] },
  ],
] as const)('amounts written %s need their columns and no others', (style, roles, amount) => {
  const draft = { ...guessed, style, roles: { 0: 'date', ...roles } as const, inWords: ['CR'], outWords: ['DR'] }
  const result = mappingOf(draft, rows)
  expect('mapping' in result && result.mapping.amount).toEqual(amount)
  expect('mapping' in result && draftOf(result.mapping).roles).toEqual(draft.roles)
  expect(rolesFor(style)).not.toContain('deposit')
  expect(mappingOf({ ...draft, roles: { 0: 'date' } }, rows)).toHaveProperty('missing')
})

test('of two guesses for one column the date is the surer', () => {
  const draft = draftOf(guessMapping([['x', 'y']], null))
  expect(draft.roles).toEqual({ 0: 'date' })
})

test('without headings the mapping has none', () => {
  const result = mappingOf({ ...guessed, headerRow: null }, rows)
  expect('mapping' in result && [result.mapping.headerRow, result.mapping.header]).toEqual([null, []])
})
