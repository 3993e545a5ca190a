import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/method-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureOf, lastAudit } from '../testing/catalogue.ts'
import { createGatewayShop, type GatewayShop } from '../testing/gateway.ts'

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
})
afterAll(() => it.db.close())

const list = () => it.as('admin').call(contract.listManagedMethods, {})
const termsOf = async () => (await list()).methods.find(({ code }) => code === 'promptpay')!.gateway!.terms
const input = async (change: object) => {
  const seen = await termsOf()
  return { body: { code: 'promptpay' as const, terms: { ...seen, ...change }, seen } }
}
const save = async (change: object) => it.as('admin').call(contract.saveMethodTerms, await input(change))

test('every method is listed, with what the gateway takes by its own', async () => {
  const { gateway, methods } = await list()
  expect(gateway).toBe('opn')
  expect(methods.map(({ code }) => code)).toEqual(['bank', 'wallet', 'linepay', 'promptpay', 'shopeepay', 'truemoney'])
  expect(methods[0]).toEqual({ code: 'bank', name: 'โอนเงินธนาคาร', kind: 'bank', gateway: null })
  expect(methods[3]).toMatchObject({
    kind: 'gateway',
    gateway: { terms: { isOn: true }, takes: { leastSatang: 2_000 } },
  })
})

test('terms are saved, recorded field by field, and taken back', async () => {
  const before = await termsOf()
  const change = { leastSatang: 5_000, mostSatang: 50_000, surchargeBasisPoints: 165, openingHours: '09:00-23:00' }
  const saved = await save(change)
  expect(await termsOf()).toEqual(saved)
  const audit = await lastAudit(it, 'paymentMethod:promptpay')
  expect(audit).toMatchObject({ action: 'paymentMethod.save', before, after: { ...before, ...change } })
  expect(await it.as('admin').codeOf(undoChange, { body: { auditId: audit.id } })).toBe('OK')
  expect(await termsOf()).toEqual(before)
})

test('who saves over terms that they have not seen is shown them', async () => {
  const late = await input({ surchargeSatang: 100 })
  const current = await save({ surchargeSatang: 500 })
  expect(await failureOf(it.as('admin'), contract.saveMethodTerms, late)).toMatchObject({
    code: 'CONFLICT',
    details: { current, by: { updatedByName: 'admin' } },
  })
})

test.each([
  ['more than 10 %', { surchargeBasisPoints: 1001 }],
  ['more than 100 baht', { surchargeSatang: 100_01 }],
  ['a surcharge that pays the buyer', { surchargeSatang: -1 }],
  ['a least above the most', { leastSatang: 5_001, mostSatang: 5_000 }],
  ['hours that are none', { openingHours: '9-23' }],
])('refused: %s', async (_, change) => {
  expect(await it.as('admin').codeOf(contract.saveMethodTerms, await input(change))).toBe('INVALID_INPUT')
})

test('only who sets how the shop is paid sees or sets the terms', async () => {
  expect(await it.as('staff').codeOf(contract.saveMethodTerms, await input({}))).toBe('FORBIDDEN')
  expect(await it.as('staff').codeOf(contract.listManagedMethods, {})).toBe('FORBIDDEN')
})

test('a method that is off can still be named and placed with the others', async () => {
  await save({ isOn: false })
  expect((await it.as('admin').call(listPaymentMethods, {})).some(({ code }) => code === 'promptpay')).toBe(false)
  const seen = (await list()).methods.map(({ code, name }) => ({ code, name }))
  const some = { methods: seen.slice(1), seen }
  expect(await it.as('admin').codeOf(contract.savePaymentMethods, { body: some })).toBe('INVALID_INPUT')
  const methods = seen.toReversed()
  await it.as('admin').call(contract.savePaymentMethods, { body: { methods, seen } })
  expect((await list()).methods.map(({ code }) => code)).toEqual(methods.map(({ code }) => code))
  expect(await termsOf()).toMatchObject({ isOn: false })
})

test('without a gateway a method can be switched off, not on', async () => {
  const { gateway } = it
  const off = await input({ isOn: false })
  it.shop.gateway = null
  try {
    expect(await list()).toMatchObject({ gateway: null })
    expect(await it.as('admin').codeOf(contract.saveMethodTerms, off)).toBe('OK')
    expect(await it.as('admin').codeOf(contract.saveMethodTerms, await input({ isOn: true }))).toBe(
      'GATEWAY_METHOD_OFF',
    )
  } finally {
    it.shop.gateway = gateway
  }
})
