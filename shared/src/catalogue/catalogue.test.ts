import { expect, test } from 'vitest'
import { PLAYER_FIELD_NAMES, paymentMethodsFor, playerFieldsOf, playerValuesOf } from './catalogue.ts'

test('a game asks for the inputs that have a label, the player id first', () => {
  const digits = { kind: 'digits', min: 5, max: 12 } as const
  expect(playerFieldsOf({ fieldLabels: ['Player ID', '', 'Zone', '', ''], fieldFormats: [digits] })).toEqual([
    { name: 'field1', label: 'Player ID', format: digits },
    { name: 'field3', label: 'Zone', format: null },
  ])
  const all = playerFieldsOf({ fieldLabels: PLAYER_FIELD_NAMES, fieldFormats: [] })
  expect(all.map(({ name }) => name)).toEqual(PLAYER_FIELD_NAMES)
})

test('what a player typed is carried over whole, and nothing beside it', () => {
  const typed = { playerId: '51', field2: 'z', field3: 'y', field4: 'x', field5: 'w' }
  expect(playerValuesOf({ ...typed, gameId: 1, priceSatang: 1 } as typeof typed)).toEqual(typed)
  expect(playerValuesOf({ playerId: '51', field3: 'y' })).toEqual({ playerId: '51', field3: 'y' })
})

test('an agent buys from the wallet alone, customers and guests never, the admin side either way', () => {
  expect(paymentMethodsFor('agent')).toEqual(['wallet'])
  for (const caller of ['guest', 'customer'] as const) expect(paymentMethodsFor(caller)).toEqual(['bank'])
  for (const caller of ['staff', 'manager', 'admin'] as const)
    expect(paymentMethodsFor(caller)).toEqual(['bank', 'wallet'])
})
