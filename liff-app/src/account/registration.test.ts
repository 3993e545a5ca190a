import { beforeEach, expect, test } from 'vitest'
import {
  checkRegistration,
  getKeptRegistration,
  keepRegistration,
  REGISTRATION_FIELDS,
  type Registration,
} from './registration.ts'

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

test('a filled form has no problems', () => {
  expect(checkRegistration(right)).toEqual({})
})

test.each(REGISTRATION_FIELDS)('%s is required', field => {
  const problems = checkRegistration({ ...right, [field]: '  ' })
  expect(problems[field]).toMatch(/^กรุณากรอก|ไม่ตรงกัน|อย่างน้อย/)
})

test.each<[Partial<Registration>, Partial<Registration>]>([
  [{ password: '1234567', confirm_password: '1234567' }, { password: 'รหัสผ่านต้องมีอย่างน้อย 8 ตัวอักษร' }],
  [{ confirm_password: 'secret-8' }, { confirm_password: 'รหัสผ่านไม่ตรงกัน' }],
  [{ email: 'namkhao' }, { email: 'กรุณากรอกอีเมลให้ถูกต้อง' }],
  [{ email: 'nam khao@example.com' }, { email: 'กรุณากรอกอีเมลให้ถูกต้อง' }],
  [{ email: 'namkhao@example' }, { email: 'กรุณากรอกอีเมลให้ถูกต้อง' }],
  [{ phonenumber: '812345678' }, { phonenumber: 'กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง' }],
  [{ phonenumber: '+6581234567' }, { phonenumber: 'กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง' }],
  [{ phonenumber: '08123' }, { phonenumber: 'กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง' }],
])('%j is explained at its field', (wrong, problems) => {
  expect(checkRegistration({ ...right, ...wrong })).toEqual(problems)
})

test.each(['0812345678', '+66812345678', '02-123-4567', '081 234 5678'])('%s is a phone number', phonenumber => {
  expect(checkRegistration({ ...right, phonenumber })).toEqual({})
})

test('a half-filled form is kept for this tab, its passwords are not', () => {
  keepRegistration({ ...right, createdEmail: right.email })
  expect(sessionStorage.getItem('registration')).not.toContain('secret-9')
  expect(getKeptRegistration()).toMatchObject({ name: 'น้ำข้าว', createdEmail: right.email })
})
