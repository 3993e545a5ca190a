import { beforeEach, expect, test } from 'vitest'
import { getKeptRegistration, keepRegistration, type Registration } from './registration.ts'

const right: Registration = {
  username: 'namkhao',
  email: 'namkhao@example.com',
  password: 'secret-9',
  confirm_password: 'secret-9',
  name: 'น้ำข้าว',
  surname: 'ใจดี',
  phonenumber: '081-234-5678',
}
beforeEach(() => sessionStorage.clear())

test('a half-filled form is kept for this tab, its passwords are not', () => {
  keepRegistration({ ...right, createdEmail: right.email })
  expect(sessionStorage.getItem('registration')).not.toContain('secret-9')
  expect(getKeptRegistration()).toMatchObject({ name: 'น้ำข้าว', createdEmail: right.email })
})
