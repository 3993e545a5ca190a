import type { FieldValues, Resolver } from 'react-hook-form'
import { expect, test } from 'vitest'
import { byInfoForm, byPasswordForm, byPinForm, byRegistrationForm } from './forms.ts'
import { REGISTRATION_FIELDS, type Registration } from './registration.ts'

const right: Registration = {
  email: 'namkhao@example.com',
  password: 'secret-9',
}

/** What a form says, by field. */
async function say<F extends FieldValues>(resolver: Resolver<F, unknown, unknown>, form: F) {
  const { errors } = await resolver(form, undefined, { fields: {}, shouldUseNativeValidation: false })
  return Object.fromEntries(Object.entries(errors).map(([field, problem]) => [field, (problem as Error).message]))
}
const problemsOf = (form: Registration): Promise<Partial<Registration>> => say(byRegistrationForm, form)

test('a filled form has no problems', async () => {
  expect(await problemsOf(right)).toEqual({})
})

test.each(REGISTRATION_FIELDS)('%s is required', async field => {
  const problems = await problemsOf({ ...right, [field]: '  ' })
  expect(problems[field]).toMatch(/^กรุณากรอก|ไม่ตรงกัน|อย่างน้อย/)
})

test.each<[Partial<Registration>, Partial<Registration>]>([
  [{ password: '1234567' }, { password: 'รหัสผ่านต้องมีอย่างน้อย 8 ตัวอักษร' }],
  [{ email: 'namkhao' }, { email: 'กรุณากรอกอีเมลให้ถูกต้อง' }],
  [{ email: 'nam khao@example.com' }, { email: 'กรุณากรอกอีเมลให้ถูกต้อง' }],
  [{ email: 'namkhao@example' }, { email: 'กรุณากรอกอีเมลให้ถูกต้อง' }],
])('%j is explained at its field', async (wrong, problems) => {
  expect(await problemsOf({ ...right, ...wrong })).toEqual(problems)
})

test('what is typed is sent as it looks and without the blanks around it, but for a password', async () => {
  const padded = { email: ' \u200bnamkhao＠example.com\ufeff', password: ' secret ' }
  const { values } = await byRegistrationForm(padded, undefined, { fields: {}, shouldUseNativeValidation: false })
  expect(values).toEqual({ ...right, password: ' secret ' })
})

test.each([
  [{ current: 'old-pass-1', password: 'secret-9', confirm_password: 'secret-9' }, {}],
  [
    { current: '', password: '', confirm_password: '' },
    {
      current: 'กรุณากรอกรหัสผ่านปัจจุบัน',
      password: 'กรุณากรอกรหัสผ่าน',
      confirm_password: 'กรุณายืนยันรหัสผ่าน',
    },
  ],
  [
    { current: 'secret-9', password: 'secret-9', confirm_password: 'secret-8' },
    { password: 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านเดิม', confirm_password: 'รหัสผ่านไม่ตรงกัน' },
  ],
])('of the passwords %j the form says %j', async (form, problems) => {
  expect(await say(byPasswordForm, form)).toEqual(problems)
})

test.each([
  [{ oldPin: '1234', pin: '4821', confirm_pin: '4821' }, {}],
  [
    { oldPin: '12', pin: '48215', confirm_pin: '4' },
    { oldPin: 'PIN (ตัวเลข 4 หลัก)', pin: 'PIN (ตัวเลข 4 หลัก)', confirm_pin: 'PIN ไม่ตรงกัน' },
  ],
  [{ oldPin: '1234', pin: '1234', confirm_pin: '1234' }, { pin: 'PIN ใหม่ต้องไม่ซ้ำกับ PIN เดิม' }],
])('of the PINs %j the form says %j', async (form, problems) => {
  expect(await say(byPinForm, form)).toEqual(problems)
})

const info = { firstname: 'น้ำข้าว', lastname: '', phonenumber: ' ' }

test('a profile without a phone is whole', async () => {
  expect(await say(byInfoForm, info)).toEqual({})
})

test.each(['0812', '812345678', '+6581234567'])('%s is no phone number', async phonenumber => {
  expect(await say(byInfoForm, { ...info, phonenumber })).toEqual({ phonenumber: 'กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง' })
})

test.each(['0812345678', '+66812345678', '02-123-4567', '081 234 5678'])('%s is a phone number', async phonenumber => {
  expect(await say(byInfoForm, { ...info, phonenumber })).toEqual({})
})

test('a sign that misleads the reader of a name is told at its field', async () => {
  expect(await say(byInfoForm, { ...info, firstname: 'น้ำ\tข้าว' })).toEqual({ firstname: 'รูปแบบไม่ถูกต้อง' })
  expect(await say(byInfoForm, { ...info, firstname: 'น้ำ\u202eข้าว' })).toEqual({})
})
