import parsePhoneNumber from 'libphonenumber-js/min'
import { AppError } from '../errors.ts'
import type { Role } from '../permissions.ts'

/** null = pending, as the spec's `isActived`. */
export type AccountStatus = 'pending' | 'active' | 'inactive'

export const ACCOUNT_STATUS_LABELS: Record<AccountStatus, string> = {
  pending: 'รอยืนยัน',
  active: 'ใช้งาน',
  inactive: 'ไม่ใช้งาน',
}

export const ROLE_LABELS: Record<Role, string> = {
  admin: 'ผู้ดูแลระบบ',
  manager: 'ผู้จัดการ',
  staff: 'พนักงาน',
  agent: 'ตัวแทน',
  customer: 'ลูกค้า',
}

export const MINIMUM_PASSWORD_LENGTH = 8
export const MAXIMUM_PASSWORD_LENGTH = 128

/** Ways to sign in, as `providers` names them. */
export const SIGN_IN_PROVIDERS = ['password', 'google.com', 'facebook.com', 'line'] as const

/** Mobile numbers (06, 08, 09) have nine digits after the prefix, the others eight. */
const THAI_NUMBER = /^(?:0|\+66)(?:[689]\d{8}|[2-57]\d{7})$/

/**
 * Reads a Thai local ("0812345678") or +66 number as E.164 ("+66812345678").
 * Throws PHONE_INVALID for any other form; empty text is null.
 */
export function parsePhone(text: string | null | undefined): string | null {
  const compact = (text ?? '').replace(/[\s-]/g, '')
  if (compact === '') return null
  const number = THAI_NUMBER.test(compact) ? parsePhoneNumber(compact, 'TH') : undefined
  if (!number?.isPossible() || number.country !== 'TH')
    throw new AppError('PHONE_INVALID', { fields: { tel: 'Phone number is not valid' } })
  return number.number
}

/** "+66812345678" -> "0812345678"; other numbers as they are. */
export function showPhone(tel: string | null): string {
  return tel?.startsWith('+66') ? `0${tel.slice(3)}` : (tel ?? '')
}
