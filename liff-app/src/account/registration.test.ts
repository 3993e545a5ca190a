import { beforeEach, expect, test } from 'vitest'
import { getKeptRegistration, isPhone, keepRegistration } from './registration.ts'

beforeEach(() => sessionStorage.clear())

test('a half-filled form is kept for this tab, its password is not', () => {
  const typed = { email: 'namkhao@example.com', password: 'secret-9' }
  keepRegistration({ ...typed, createdEmail: typed.email })
  keepRegistration({ ...typed, email: 'other@example.com' })
  expect(sessionStorage.getItem('registration')).not.toContain('secret-9')
  expect(getKeptRegistration()).toEqual({ email: 'other@example.com', createdEmail: typed.email })
})

test('a telephone number that was copied from contacts looks like one', () => {
  expect(['\u202a+66\u00a081\u2011234\u20115678\u202c', '081-234 5678', '12345'].map(isPhone)).toEqual([
    true,
    true,
    false,
  ])
})
