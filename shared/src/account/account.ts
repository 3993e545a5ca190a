import parsePhoneNumber from 'libphonenumber-js/min'
import { AppError, errorMessage } from '../errors.ts'
import type { Role } from '../permissions.ts'
import { keysOf } from '../table.ts'
import { withoutGaps } from '../typed-text.ts'

export type AccountStatus = 'pending' | 'active' | 'inactive'

/** The API's `isActived`: true active, false inactive, null pending. */
export const isActivedOf = (status: AccountStatus): boolean | null =>
  status === 'pending' ? null : status === 'active'
export const accountStatusOf = (isActived: boolean | null): AccountStatus =>
  isActived === null ? 'pending' : isActived ? 'active' : 'inactive'

export const ACCOUNT_STATUS_LABELS: Record<AccountStatus, string> = {
  pending: 'รอยืนยัน',
  active: 'ใช้งาน',
  inactive: 'ไม่ใช้งาน',
}

export const ROLE_LABELS: Record<Role, string> = {
  admin: 'ผู้ดูแลระบบ',
  manager: 'ผู้จัดการ',
  staff: 'พนักงาน',
  accountant: 'ฝ่ายบัญชี',
  agent: 'ตัวแทน',
  customer: 'ลูกค้า',
}

export const MINIMUM_PASSWORD_LENGTH = 8
export const MAXIMUM_PASSWORD_LENGTH = 128

export const PIN_RULE = 'PIN (ตัวเลข 4 หลัก)'

export type SignInProvider = 'password' | 'google.com' | 'facebook.com' | 'line'

/**
 * Ways to sign in, by the identity provider's names. It handles `social` ones itself, by popup or redirect; the shop's
 * own server vouches for the `chat` app's. `provesEmail` means that whoever signs in with it owns the email address it
 * reports; LINE and Facebook also report addresses that they have not checked.
 */
export const SIGN_IN_PROVIDER = {
  line: { name: 'LINE', kind: 'chat', provesEmail: false },
  'google.com': { name: 'Google', kind: 'social', provesEmail: true },
  'facebook.com': { name: 'Facebook', kind: 'social', provesEmail: false },
  password: { name: 'อีเมลและรหัสผ่าน', kind: 'password', provesEmail: false },
} as const satisfies Record<
  SignInProvider,
  { name: string; kind: 'password' | 'social' | 'chat'; provesEmail: boolean }
>
export const SIGN_IN_PROVIDERS = keysOf(SIGN_IN_PROVIDER)

/** Ways to sign in that can be added to an account beside its password, and removed from it. */
export const LINKABLE = SIGN_IN_PROVIDERS.filter(
  (provider): provider is Exclude<SignInProvider, 'password'> => SIGN_IN_PROVIDER[provider].kind !== 'password',
)
export type Linkable = (typeof LINKABLE)[number]

export type SocialProvider = {
  [P in SignInProvider]: (typeof SIGN_IN_PROVIDER)[P]['kind'] extends 'social' ? P : never
}[SignInProvider]
export const SOCIAL_PROVIDERS = SIGN_IN_PROVIDERS.filter(
  (provider): provider is SocialProvider => SIGN_IN_PROVIDER[provider].kind === 'social',
)

const LINE_UID = 'line:'

/** Returns the uid of the account that a LINE identity has of its own. */
export const uidOfLine = (sub: string): string => LINE_UID + sub

/** Returns the LINE identity that a uid is made from; null for every other uid. */
export const subjectOfLine = (uid: string): string | null => (isOwnLineAccount(uid) ? uid.slice(LINE_UID.length) : null)

/** Tells whether an account is a LINE identity's own; that identity can't be removed from it. */
export const isOwnLineAccount = (uid: string): boolean => uid.startsWith(LINE_UID)

export interface Address {
  uid: string
  email: string | null
  emailVerified: boolean
}

/** Tells whether nobody has proven the account's address. A LINE identity's own account needs none. */
export const isUnproven = ({ uid, email, emailVerified }: Address): boolean =>
  email !== null && !emailVerified && !isOwnLineAccount(uid)

/** Mobile numbers (06, 08, 09) have nine digits after the prefix, the others eight. */
const THAI_NUMBER = /^(?:0|\+66)(?:[689]\d{8}|[2-57]\d{7})$/

/**
 * Reads a Thai local ("0812345678") or +66 number as E.164 ("+66812345678").
 * Throws PHONE_INVALID for any other form; empty text is null.
 */
export function parsePhone(text: string | null | undefined): string | null {
  const compact = withoutGaps(text ?? '')
  if (compact === '') return null
  const number = THAI_NUMBER.test(compact) ? parsePhoneNumber(compact, 'TH') : undefined
  if (!number?.isPossible()) throw new AppError('PHONE_INVALID', { fields: { tel: errorMessage('PHONE_INVALID') } })
  return number.number
}

/** Returns the whole telephone number that a text is, as accounts have it; null for any other text. */
export function phoneIn(text: string): string | null {
  try {
    return parsePhone(text)
  } catch {
    return null
  }
}

/** "+66812345678" -> "0812345678"; other numbers stay unchanged. */
export function showPhone(phone: string | null): string {
  return phone?.startsWith('+66') ? `0${phone.slice(3)}` : (phone ?? '')
}
