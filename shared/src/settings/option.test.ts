import { expect, test } from 'vitest'
import { OPTION, OPTION_NAMES, optionsFrom } from './option.ts'

test('a shop that has set nothing waits 15 minutes, lets guests buy and wants two approvers above 20,000 baht', () => {
  expect(optionsFrom({})).toEqual({
    PAYMENT_TIME_LIMIT: 15,
    CHECK_MIDASBUY: false,
    ALLOW_GUEST_CHECKOUT: true,
    TWO_PERSON_APPROVAL_AMOUNT: 20_000,
    LINE_OA_ID: '',
  })
})

test('what is set is read with its type; what is no option is left out', () => {
  const texts = {
    PAYMENT_TIME_LIMIT: '30',
    CHECK_MIDASBUY: 'true',
    ALLOW_GUEST_CHECKOUT: 'false',
    TWO_PERSON_APPROVAL_AMOUNT: '50000',
    LINE_OA_ID: '@kram',
  }
  expect(optionsFrom({ ...texts, SOMETHING_NEW: '1' })).toEqual({
    PAYMENT_TIME_LIMIT: 30,
    CHECK_MIDASBUY: true,
    ALLOW_GUEST_CHECKOUT: false,
    TWO_PERSON_APPROVAL_AMOUNT: 50_000,
    LINE_OA_ID: '@kram',
  })
})

test.each([
  ['PAYMENT_TIME_LIMIT', ['1', '1440'], ['0', '1441', '', '-5', '1.5', '1e2', ' 30', '30 ', '๓๐', 'soon']],
  ['TWO_PERSON_APPROVAL_AMOUNT', ['0', '999999999'], ['1000000000', '-1', '20,000']],
  ['CHECK_MIDASBUY', ['true', 'false'], ['TRUE', '1', 'yes', '']],
  ['ALLOW_GUEST_CHECKOUT', ['true', 'false'], ['False', '0', 'off', '']],
] as const)('%s may be %j; for %j its standard holds', (name, readable, unreadable) => {
  expect(readable.map(text => String(optionsFrom({ [name]: text })[name]))).toEqual(readable)
  for (const text of unreadable) expect([text, optionsFrom({ [name]: text })]).toEqual([text, optionsFrom({})])
})

test('the storefront learns every option but from which amount on two people approve', () => {
  expect(OPTION_NAMES.filter(name => !OPTION[name].isPublic)).toEqual(['TWO_PERSON_APPROVAL_AMOUNT'])
})
