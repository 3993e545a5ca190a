import { AppError } from '@shop/shared/errors.ts'
import { expect, test } from 'vitest'
import { signInProblemOf, tokenRefusalOf } from './sign-in-problem.ts'

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

test('a failure of the shop has the code by which staff find it', () => {
  const error = Object.assign(new AppError('LINE_UNAVAILABLE'), { requestId: '4bf92f35'.repeat(4) })
  expect(signInProblemOf(error)).toContain('(รหัสแจ้งร้าน 4bf92f35)')
})

test.each([
  ['auth/user-disabled', 'ACCOUNT_INACTIVE'],
  ['auth/user-token-expired', 'SESSION_REVOKED'],
  ['auth/network-request-failed', 'UNAVAILABLE'],
])('no token for %s is %s', (code, refusal) => {
  expect(tokenRefusalOf(Object.assign(new Error(code), { code }))).toMatchObject({ code: refusal })
})

test('closing the window is told as that, a broken program as a failure', () => {
  expect(describeCode('auth/popup-closed-by-user')).toMatch(/^หน้าต่างเข้าสู่ระบบถูกปิด/)
  expect(signInProblemOf(new TypeError('x is undefined'))).toBe('เข้าสู่ระบบไม่สำเร็จ กรุณาลองอีกครั้ง')
})
