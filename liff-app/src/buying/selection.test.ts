import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { expect, test } from 'vitest'
import { createDraft, type Draft } from '../draft.ts'
import { fieldChangeOf, fieldProblemOf, findMissing, withObviousChoices } from './selection.ts'
import { draft, game } from './testing.ts'

const rules = {
  fields: game.fields,
  mustVerify: true,
  hasUnpaidOrder: false,
  packages: [
    { id: 12, payment: 'bank' as const },
    { id: 13, payment: 'wallet' as const },
  ],
  receivingAccountIds: [1, 2],
  isPaidByCredit: false,
}
const complete: Draft = { ...draft, field2: 'Asia' }

test('a complete selection goes on', () => {
  expect(findMissing(complete, rules)).toBeNull()
})

test.each<[string, Partial<Draft>]>([
  ['กรอก Player ID ก่อน', { playerId: '  ' }],
  ['ตรวจ Player ID ก่อน', { playerName: null }],
  ['แก้ไข Player ID ก่อน', { playerId: '51234' + '5678901234' }],
  ['แก้ไข Player ID ก่อน', { playerId: '5123-45678' }],
  ['เลือก Server ก่อน', { field2: '' }],
  ['แก้ไข Server ก่อน', { field2: 'Africa' }],
  ['เลือกธนาคารก่อน', { bank: null }],
  ['เลือกธนาคารก่อน', { bank: 99 }],
  ['กรุณาเลือกแพ็กเกจ', { package: null }],
  ['กรุณาเลือกแพ็กเกจ', { package: 13 }],
  ['กรุณาเลือกแพ็กเกจ', { paymentMethod: null }],
  ['กรุณาเลือกแพ็กเกจ', { package: null, bank: null }],
])('the button says %s', (label, change) => {
  expect(findMissing({ ...complete, ...change }, rules)?.label).toBe(label)
})

test('an unpaid order blocks buying', () => {
  expect(findMissing(complete, { ...rules, hasUnpaidOrder: true })?.target).toBe('pending-orders')
})

test('where ids are not checked, the typed id is accepted as it is', () => {
  expect(findMissing({ ...complete, playerName: null }, { ...rules, mustVerify: false })).toBeNull()
})

test.each(['nameless', 'away'] as const)(
  'a player whose name is not told (%s) keeps nobody from buying',
  playerCheck => {
    expect(findMissing({ ...complete, playerName: null, playerCheck }, rules)).toBeNull()
  },
)

test('another player id or server is no longer the confirmed one', () => {
  const found: Draft = { ...complete, playerCheck: 'nameless' }
  for (const name of ['field1', 'field2'] as const)
    expect({ ...found, ...fieldChangeOf(name, '5198765432') }).toMatchObject({
      playerName: null,
      playerCheck: undefined,
    })
})

test.each<[string, Partial<Draft>, PaymentCode | null, PaymentCode]>([
  ['the first one', {}, null, 'promptpay'],
  ['that of the last purchase', {}, 'bank', 'bank'],
  ['the one that the buyer chooses now', { paymentMethod: 'wallet' }, 'bank', 'wallet'],
  ['the first one instead of one that is no longer offered', {}, 'linepay', 'promptpay'],
  ['one that can be used now, instead of that of the last purchase', {}, 'truemoney', 'promptpay'],
])('the way to pay is %s', (_, chosen, lastMethod, payment) => {
  const methods = [
    { code: 'promptpay' as const },
    { code: 'truemoney' as const, reason: 'เปิด 09:00 น.' },
    { code: 'bank' as const },
    { code: 'wallet' as const },
  ]
  const offered = { methods, accounts: [{ id: 7 }, { id: 8 }], lastMethod }
  const shown = withObviousChoices({ ...createDraft('rov'), ...chosen }, offered)
  expect(shown).toMatchObject({ paymentMethod: payment, bank: 7 })
})

test.each<[string, Partial<Draft>, string | null]>([
  ['field1', { playerId: ' 51234 ' }, null],
  ['field1', { playerId: '5123' }, 'กรุณากรอกตัวเลข 5–12 หลัก'],
  ['field1', { playerId: '' }, 'กรุณากรอก Player ID'],
  ['field2', { field2: '' }, 'กรุณาเลือก Server'],
  ['field2', { field2: 'Asia' }, null],
  ['field2', { field2: 'Africa' }, 'กรุณาเลือกจากรายการ'],
])('what is wrong with %s in %o is: %s', (name, change, problem) => {
  const field = game.fields.find(each => each.name === name)!
  expect(fieldProblemOf({ ...complete, ...change }, field)).toBe(problem)
})
