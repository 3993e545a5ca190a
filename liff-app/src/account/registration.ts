import { MINIMUM_PASSWORD_LENGTH } from '@shop/shared/account/account.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { isText, parseKept, recordOf } from '../storage.ts'

/** What a person fills in to register, by the wire's names. */
export interface Registration {
  username: string
  email: string
  password: string
  confirm_password: string
  name: string
  surname: string
  phonenumber: string
}
export type RegistrationField = keyof Registration

export const REGISTRATION_LABELS: Record<RegistrationField, string> = {
  username: 'ชื่อผู้ใช้',
  email: 'อีเมล',
  password: 'รหัสผ่าน',
  confirm_password: 'ยืนยันรหัสผ่าน',
  name: 'ชื่อ',
  surname: 'นามสกุล',
  phonenumber: 'เบอร์โทรศัพท์',
}
/** In the order of the form. */
export const REGISTRATION_FIELDS = Object.keys(REGISTRATION_LABELS) as RegistrationField[]

export const PASSWORD_RULE = `อย่างน้อย ${MINIMUM_PASSWORD_LENGTH} ตัวอักษร`
export const PHONE_WRONG = errorMessage('PHONE_INVALID')

/** Looks like an address; the confirmation mail proves it. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim())

/** A Thai number in its local or +66 form; the server, which knows every number plan, has the last word. */
export const isPhone = (text: string): boolean => /^(0|\+66)\d{8,9}$/.test(text.replace(/[\s-]/g, ''))

const KEPT = 'registration'
/** The half-filled form; `createdEmail` is an account the identity provider has and the shop does not know yet. */
type KeptRegistration = Partial<Omit<Registration, 'password' | 'confirm_password'>> & { createdEmail?: string }

/** What was typed before a reload of this tab. */
export function getKeptRegistration(): KeptRegistration {
  try {
    return parseKept(sessionStorage.getItem(KEPT), recordOf(isText)) ?? {}
  } catch {
    return {}
  }
}

/** Keeps the form for this tab, never a password. */
export function keepRegistration(form: Partial<Registration> & { createdEmail?: string }): void {
  const { password: _, confirm_password: __, ...kept } = form
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...getKeptRegistration(), ...kept }))
  } catch {
    // A browser that keeps nothing: the form still works until a reload.
  }
}

export const forgetRegistration = (): void => sessionStorage.removeItem(KEPT)
