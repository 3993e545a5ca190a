import { AppError, errorMessage, messageOf } from '@shop/shared/errors.ts'

const CLOSED = 'หน้าต่างเข้าสู่ระบบถูกปิดก่อนเสร็จ กรุณาลองอีกครั้ง หรือเลือกวิธีอื่น'
const WRONG_LOGIN = 'อีเมลหรือรหัสผ่านไม่ถูกต้อง'

/** The texts for codes of Firebase. */
const texts: Record<string, string> = {
  'auth/invalid-credential': WRONG_LOGIN,
  'auth/wrong-password': WRONG_LOGIN,
  'auth/user-not-found': WRONG_LOGIN,
  'auth/invalid-email': WRONG_LOGIN,
  'auth/missing-password': WRONG_LOGIN,
  'auth/account-exists-with-different-credential': errorMessage('EMAIL_IN_USE'),
  'auth/email-already-in-use': errorMessage('EMAIL_IN_USE'),
  'auth/credential-already-in-use': errorMessage('ALREADY_LINKED'),
  'auth/provider-already-linked': errorMessage('ALREADY_LINKED'),
  'auth/user-mismatch': 'บัญชีที่เลือกไม่ตรงกับบัญชีที่ใช้อยู่ กรุณาลองอีกครั้ง',
  'auth/requires-recent-login': errorMessage('RECENT_SIGN_IN_REQUIRED'),
  'auth/user-disabled': errorMessage('ACCOUNT_INACTIVE'),
  'auth/user-token-expired': errorMessage('SESSION_REVOKED'),
  'auth/weak-password': errorMessage('WEAK_PASSWORD'),
  'auth/network-request-failed': 'ไม่สามารถเชื่อมต่อได้ กรุณาตรวจสอบอินเทอร์เน็ตแล้วลองอีกครั้ง',
  'auth/too-many-requests': 'ลองหลายครั้งเกินไป กรุณารอสักครู่แล้วลองอีกครั้ง',
  'auth/popup-closed-by-user': CLOSED,
  'auth/cancelled-popup-request': CLOSED,
  'auth/user-cancelled': CLOSED,
  'auth/popup-blocked': 'เบราว์เซอร์ปิดกั้นหน้าต่างเข้าสู่ระบบ กรุณาอนุญาตแล้วลองอีกครั้ง',
}

/** The code of a Firebase error, e.g. "auth/user-disabled"; '' for any other error. */
export function firebaseCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('auth/') ? code : ''
}

/** Whether the person closed the provider's window, which is no failure. */
export const isGivenUp = (error: unknown): boolean => texts[firebaseCodeOf(error)] === CLOSED

/** Whether address or password are wrong, which Firebase does not tell apart. */
export const isWrongLogin = (error: unknown): boolean => texts[firebaseCodeOf(error)] === WRONG_LOGIN

/** What to tell a person whose sign-in failed. */
export function signInProblemOf(error: unknown): string {
  if (error instanceof AppError) return messageOf(error)
  return texts[firebaseCodeOf(error)] ?? errorMessage('SIGN_IN_FAILED')
}

/** Turns the provider's refusal of a token into ACCOUNT_INACTIVE, SESSION_REVOKED or UNAVAILABLE. */
export function tokenRefusalOf(error: unknown): AppError {
  const code = firebaseCodeOf(error)
  if (code === 'auth/user-disabled') return new AppError('ACCOUNT_INACTIVE', { cause: error })
  const isOver = ['auth/user-token-expired', 'auth/user-not-found', 'auth/invalid-user-token'].includes(code)
  return new AppError(isOver ? 'SESSION_REVOKED' : 'UNAVAILABLE', { cause: error })
}

export const PASSWORDS_DIFFER = 'รหัสผ่านไม่ตรงกัน'
export const PINS_DIFFER = 'PIN ไม่ตรงกัน'
export const WRONG_PASSWORD = 'รหัสผ่านปัจจุบันไม่ถูกต้อง'

/** Whether a proof of identity failed because the password was wrong. */
export const isWrongPassword = (error: unknown): boolean =>
  ['auth/invalid-credential', 'auth/wrong-password'].includes(firebaseCodeOf(error))
