import { AppError } from '@shop/shared/errors.ts'
import { expect, test } from 'vitest'
import { signInProblemOf } from './sign-in-problem.ts'

const describeCode = (code: string) => signInProblemOf(Object.assign(new Error(code), { code }))
const EMAIL_IN_USE = 'อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว เช่น Google หรือ Facebook กรุณาลองอีกครั้ง'

test.each([
  ['auth/invalid-credential', 'อีเมลหรือรหัสผ่านไม่ถูกต้อง'],
  ['auth/user-not-found', 'อีเมลหรือรหัสผ่านไม่ถูกต้อง'],
  ['auth/account-exists-with-different-credential', EMAIL_IN_USE],
  ['auth/email-already-in-use', EMAIL_IN_USE],
  ['auth/user-disabled', 'บัญชีนี้ถูกระงับการใช้งาน กรุณาติดต่อแอดมิน'],
  ['auth/something-new', 'เข้าสู่ระบบไม่สำเร็จ กรุณาลองอีกครั้ง'],
])('%s is told in the catalogue’s words', (code, text) => {
  expect(describeCode(code)).toBe(text)
})

test('the server’s own message is shown as it is', () => {
  expect(signInProblemOf(new AppError('EMAIL_IN_USE'))).toBe(EMAIL_IN_USE)
  expect(signInProblemOf(new AppError('ACCOUNT_INACTIVE'))).toBe('บัญชีนี้ถูกระงับการใช้งาน กรุณาติดต่อแอดมิน')
})

test('closing the window is no failure, a broken program is', () => {
  expect(describeCode('auth/popup-closed-by-user')).toBeNull()
  expect(signInProblemOf(new TypeError('x is undefined'))).toBe('เข้าสู่ระบบไม่สำเร็จ กรุณาลองอีกครั้ง')
})
