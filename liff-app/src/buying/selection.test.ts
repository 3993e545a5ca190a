import { expect, test } from 'vitest'
import { createDraft, type Draft } from '../draft.ts'
import { findMissing, isNumericLabel, withFieldValue, withObviousChoices } from './selection.ts'
import { draft } from './testing.ts'

const rules = {
  fields: [
    { name: 'field1' as const, label: 'Player ID' },
    { name: 'field2' as const, label: 'Server' },
  ],
  mustVerify: true,
  hasUnpaidOrder: false,
  packages: [
    { id: 12, payment: 'bank' as const },
    { id: 13, payment: 'wallet' as const },
  ],
  receivingAccountIds: [1, 2],
}
const complete: Draft = { ...draft, field2: 'Asia' }

test('a complete selection goes on', () => {
  expect(findMissing(complete, rules)).toBeNull()
})

test.each<[string, Partial<Draft>]>([
  ['กรอก Player ID ก่อน', { playerId: '  ' }],
  ['ตรวจสอบ Player ID ก่อน', { playerName: null }],
  ['กรอก Server ก่อน', { field2: '' }],
  ['เลือกวิธีชำระเงินก่อน', { paymentMethod: null }],
  ['เลือกธนาคารก่อน', { bank: null }],
  ['เลือกธนาคารก่อน', { bank: 99 }],
  ['เลือกแพ็กเกจก่อน', { package: null }],
  ['เลือกแพ็กเกจก่อน', { package: 13 }],
])('the button says %s', (label, change) => {
  expect(findMissing({ ...complete, ...change }, rules)?.label).toBe(label)
})

test('an unpaid order blocks buying', () => {
  expect(findMissing(complete, { ...rules, hasUnpaidOrder: true })?.target).toBe('pending-orders')
})

test('where ids are not checked, the typed id is accepted as it is', () => {
  expect(findMissing({ ...complete, playerName: null }, { ...rules, mustVerify: false })).toBeNull()
})

test('another player id is no longer the confirmed one', () => {
  expect(withFieldValue(complete, 'field1', '5198765432').playerName).toBeNull()
  expect(withFieldValue(complete, 'field2', 'Europe').playerName).toBe('Namkhao_TH')
})

test('the only payment method is chosen, two are not', () => {
  const accounts = [{ id: 7 }, { id: 8 }]
  const one = withObviousChoices(createDraft('rov'), { methods: [{ code: 'wallet' }], accounts })
  expect(one).toMatchObject({ paymentMethod: 'wallet', bank: 7 })
  const two = withObviousChoices(createDraft('rov'), { methods: [{ code: 'bank' }, { code: 'wallet' }], accounts })
  expect(two.paymentMethod).toBeNull()
})

test.each([
  ['Player ID', true],
  ['UID', true],
  ['Zone ID', true],
  ['Riot ID', false],
  ['Tagline', false],
])('the keyboard for %s is numeric: %s', (label, isNumeric) => {
  expect(isNumericLabel(label)).toBe(isNumeric)
})
