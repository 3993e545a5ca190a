import { expect, test } from 'vitest'
import {
  accountStatusOf,
  isActivedOf,
  parsePhone,
  SIGN_IN_PROVIDER,
  SIGN_IN_PROVIDERS,
  SOCIAL_PROVIDERS,
  showPhone,
} from './account.ts'

test.each([
  ['0812345678', '+66812345678'],
  [' 081-234 5678 ', '+66812345678'],
  ['+66 81 234 5678', '+66812345678'],
  // As a phone's list of contacts copies it.
  ['\u202a+66\u00a081\u2011234\u20115678\u202c', '+66812345678'],
  ['0612345678', '+66612345678'],
  ['021234567', '+6621234567'],
  ['', null],
  [null, null],
])('%j is stored as %j', (text, stored) => {
  expect(parsePhone(text)).toBe(stored)
})

test.each([
  '12345',
  '081234567',
  '08123456789',
  '+66081234567',
  '+660812345678',
  '66812345678',
  '+16502530000',
  'abc',
  '๐๘๑๒๓๔๕๖๗๘',
])('%j is refused, naming the field and what is wrong with it', text => {
  const refusal = { code: 'PHONE_INVALID', fields: { tel: 'กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง' } }
  expect(() => parsePhone(text)).toThrow(expect.objectContaining(refusal))
})

test('a Thai number is shown in the local form, a foreign one as it is', () => {
  expect(['+66812345678', '+16502530000', null].map(showPhone)).toEqual(['0812345678', '+16502530000', ''])
})

test.each([
  ['pending', null],
  ['active', true],
  ['inactive', false],
] as const)('the API writes %s as %s, and reads it so', (status, isActived) => {
  expect(isActivedOf(status)).toBe(isActived)
  expect(accountStatusOf(isActived)).toBe(status)
})

test('passwords and the chat app are told from the providers that sign people in by themselves', () => {
  const others = SIGN_IN_PROVIDERS.filter(provider => !SOCIAL_PROVIDERS.some(social => social === provider))
  expect(others.map(provider => [provider, SIGN_IN_PROVIDER[provider].kind])).toEqual([
    ['line', 'chat'],
    ['password', 'password'],
  ])
  // The identity provider names its own by their domain.
  for (const provider of SOCIAL_PROVIDERS) expect(provider).toMatch(/^\w+\.com$/)
})
