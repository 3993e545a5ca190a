import { AppError, errorMessage } from '@shop/shared/errors.ts'

/** Firebase's names of failures that have words of their own. */
const texts: Record<string, string> = {
  'auth/invalid-credential': 'อีเมลหรือรหัสผ่านไม่ถูกต้อง',
  'auth/wrong-password': 'อีเมลหรือรหัสผ่านไม่ถูกต้อง',
  'auth/user-not-found': 'อีเมลหรือรหัสผ่านไม่ถูกต้อง',
  'auth/invalid-email': 'อีเมลหรือรหัสผ่านไม่ถูกต้อง',
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
}

/** The person closed the window themselves. */
const CANCELLED = ['auth/popup-closed-by-user', 'auth/cancelled-popup-request', 'auth/user-cancelled']

/** Firebase's name of a failure, e.g. "auth/user-disabled"; '' for anything else. */
export function firebaseCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('auth/') ? code : ''
}

/** What to tell a person whose sign-in failed; null when they cancelled it and know. */
export function describeSignInProblem(error: unknown): string | null {
  if (error instanceof AppError) return error.message
  const code = firebaseCodeOf(error)
  return CANCELLED.includes(code) ? null : (texts[code] ?? errorMessage('SIGN_IN_FAILED'))
}
