import { expect, test } from 'vitest'
import { OPTION, OPTION_NAMES, type OptionName, optionsFrom } from './option.ts'

test('the standard of every option is a value it takes', () => {
  for (const name of OPTION_NAMES)
    expect(OPTION[name].read(String(OPTION[name].standard)), name).toBe(OPTION[name].standard)
})

test.each<[OptionName, string[], string[]]>([
  ['PAYMENT_TIME_LIMIT', ['1', '1440'], ['0', '1441', '1.5', '-1', ' 5', '']],
  ['GUEST_ORDERS_PER_ADDRESS_AND_HOUR', ['0', '30', '10000'], ['10001', '-1', '1.5', '']],
  ['CHECK_MIDASBUY', ['true', 'false'], ['TRUE', '1', '']],
  ['LINE_OA_ID', ['@kraam', ''], ['kraam', '@', '@กข', '@a b']],
  ['OPENING_HOURS', ['09:00-23:59', ''], ['9:00-23:00', '09:00-24:00', '09:60-10:00', '09:00']],
  ['COMPANY_NAME', ['บจก. คราม', ''], ['a\nb', 'x'.repeat(201)]],
  ['COMPANY_ADDRESS', ['99 สีลม\nกรุงเทพ'], ['a\rb', 'x'.repeat(501)]],
  ['CONTACT_PHONE', ['02-123-4567', '+66812345678'], ['12345678', '08-abc-0000']],
  ['CONTACT_EMAIL', ['a@b.co'], ['a@b', 'a b@c.co', '@b.co']],
])('%s', (name, good, bad) => {
  for (const text of good) expect(OPTION[name].read(text), text).not.toBeNull()
  for (const text of bad) expect(OPTION[name].read(text), text).toBe(text === '' && good.includes('') ? '' : null)
})

test('what is missing or unreadable takes its standard', () => {
  expect(optionsFrom({ PAYMENT_TIME_LIMIT: 'soon', CHECK_MIDASBUY: 'true' })).toMatchObject({
    PAYMENT_TIME_LIMIT: 15,
    CHECK_MIDASBUY: true,
    ALLOW_GUEST_CHECKOUT: true,
  })
})

test('the storefront learns what customers are told, and nothing of how the back office is guarded', () => {
  expect(OPTION_NAMES.filter(name => !OPTION[name].isPublic)).toEqual([
    'GUEST_ORDERS_PER_ADDRESS_AND_HOUR',
    'TWO_PERSON_APPROVAL_AMOUNT',
    'REQUIRE_ADMIN_TOTP',
    'CURRENCY_MARGIN',
    'STAFF_HOURS',
    'STAFF_DIGEST_MINUTES',
  ])
})
