import { expect, test } from 'vitest'
import { oldCodesAfter, PLAYER_FIELD_NAMES, playerFieldsOf, playerValuesOf } from './catalogue.ts'
import { GATEWAY_METHODS, paymentMethodsFor } from './payment-method.ts'

const ALL_ON = [true, true, true, true, true]

test('a game asks for the inputs that have a label, the player id first', () => {
  const digits = { kind: 'digits', min: 5, max: 12 } as const
  expect(
    playerFieldsOf({ fieldsOn: ALL_ON, fieldLabels: ['Player ID', '', 'Zone', '', ''], fieldFormats: [digits] }),
  ).toEqual([
    { name: 'field1', label: 'Player ID', format: digits },
    { name: 'field3', label: 'Zone', format: null },
  ])
  const all = playerFieldsOf({ fieldsOn: ALL_ON, fieldLabels: PLAYER_FIELD_NAMES, fieldFormats: [] })
  expect(all.map(({ name }) => name)).toEqual(PLAYER_FIELD_NAMES)
  const some = playerFieldsOf({
    fieldsOn: [true, false, true, false, false],
    fieldLabels: PLAYER_FIELD_NAMES,
    fieldFormats: [],
  })
  expect(some.map(({ name }) => name)).toEqual(['field1', 'field3'])
})

test('what a player typed is carried over whole, and nothing beside it', () => {
  const typed = { playerId: '51', field2: 'z', field3: 'y', field4: 'x', field5: 'w' }
  expect(playerValuesOf({ ...typed, gameId: 1, priceSatang: 1 } as typeof typed)).toEqual(typed)
  expect(playerValuesOf({ playerId: '51', field3: 'y' })).toEqual({ playerId: '51', field3: 'y' })
})

test('an agent buys from the wallet or with credit, customers and guests never from a wallet, the admin side either way', () => {
  expect(paymentMethodsFor('agent')).toEqual(['wallet', 'credit'])
  expect(paymentMethodsFor('guest')).toEqual([...GATEWAY_METHODS, 'bank'])
  expect(paymentMethodsFor('customer')).toEqual([...GATEWAY_METHODS, 'bank', 'credit'])
  for (const caller of ['staff', 'manager', 'admin'] as const)
    expect(paymentMethodsFor(caller)).toEqual([...GATEWAY_METHODS, 'bank', 'wallet', 'credit'])
})

test('a game is found under every code it had, and under its own only once', () => {
  expect(oldCodesAfter({ code: 'a', oldCodes: [] }, 'a')).toEqual([])
  expect(oldCodesAfter({ code: 'a', oldCodes: [] }, 'b')).toEqual(['a'])
  expect(oldCodesAfter({ code: 'b', oldCodes: ['a'] }, 'c')).toEqual(['a', 'b'])
  expect(oldCodesAfter({ code: 'b', oldCodes: ['a'] }, 'a')).toEqual(['b'])
})
