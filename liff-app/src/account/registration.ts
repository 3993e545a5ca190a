import { MINIMUM_PASSWORD_LENGTH } from '@shop/shared/account/account.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { keysOf } from '@shop/shared/table.ts'
import { withoutGaps } from '@shop/shared/typed-text.ts'
import { forgetInTab, isText, keepInTab, parseKept, readInTab, recordOf } from '../storage.ts'

/** What a person fills in to register, in the order of the form. Name and telephone wait in the profile until they are wanted. */
export const REGISTRATION_LABELS = {
  email: 'อีเมล',
  password: 'รหัสผ่าน',
}
export type RegistrationField = keyof typeof REGISTRATION_LABELS
export type Registration = Record<RegistrationField, string>
export const REGISTRATION_FIELDS = keysOf(REGISTRATION_LABELS)

export const PASSWORD_RULE = `อย่างน้อย ${MINIMUM_PASSWORD_LENGTH} ตัวอักษร`
export const PHONE_WRONG = errorMessage('PHONE_INVALID')

/** Whether a text looks like an email address; only the confirmation mail proves that it is one. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim())

/** Whether a text looks like a Thai phone number, local or with +66. The server knows all number plans and decides. */
export const isPhone = (text: string): boolean => /^(0|\+66)\d{8,9}$/.test(withoutGaps(text))

/** The half-filled form; `createdEmail` is the address of an account that Firebase has and the shop does not know yet. */
interface KeptRegistration {
  email?: string
  createdEmail?: string
}

/** What was typed before this tab was reloaded. */
export const getKeptRegistration = (): KeptRegistration => parseKept(readInTab('registration'), recordOf(isText)) ?? {}

/** Keeps the address in this tab, but never a password. */
export function keepRegistration({ email, createdEmail }: KeptRegistration): void {
  const kept = { ...getKeptRegistration(), email, ...(createdEmail && { createdEmail }) }
  keepInTab('registration', JSON.stringify(kept))
}

export const forgetRegistration = (): void => forgetInTab('registration')
