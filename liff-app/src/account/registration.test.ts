import { beforeEach, expect, test } from 'vitest'
import { getKeptRegistration, keepRegistration } from './registration.ts'

beforeEach(() => sessionStorage.clear())

test('a half-filled form is kept for this tab, its password is not', () => {
  const typed = { email: 'namkhao@example.com', password: 'secret-9' }
  keepRegistration({ ...typed, createdEmail: typed.email })
  keepRegistration({ ...typed, email: 'other@example.com' })
  expect(sessionStorage.getItem('registration')).not.toContain('secret-9')
  expect(getKeptRegistration()).toEqual({ email: 'other@example.com', createdEmail: typed.email })
})
