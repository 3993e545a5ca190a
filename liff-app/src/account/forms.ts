import { zodResolver } from '@hookform/resolvers/zod'
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from '@shop/shared/account/account.ts'
import { name, phone, pin } from '@shop/shared/account/fields.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import { typed } from '@shop/shared/line.ts'
import { latinDigits } from '@shop/shared/typed-text.ts'
import { PASSWORDS_DIFFER, PINS_DIFFER } from '@shop/web/sign-in-problem.ts'
import * as z from 'zod'
import { isEmail, isPhone, PHONE_WRONG, REGISTRATION_LABELS, type RegistrationField } from './registration.ts'

// What the forms about an account accept, field by field, with the texts of refusals. Only pages with such forms load
// zod.

const newPassword = {
  password: z
    .string()
    .min(1, 'กรุณากรอกรหัสผ่าน')
    .min(MINIMUM_PASSWORD_LENGTH, errorMessage('WEAK_PASSWORD'))
    .max(MAXIMUM_PASSWORD_LENGTH, `รหัสผ่านต้องไม่เกิน ${MAXIMUM_PASSWORD_LENGTH} ตัวอักษร`),
  confirm_password: z.string().min(1, 'กรุณายืนยันรหัสผ่าน'),
}
const isTypedTwice = (form: { password: string; confirm_password: string }): boolean =>
  form.password === form.confirm_password

/** A check of two fields that is made even if other fields are wrong. */
const at = (field: string, error: string) => ({ path: [field], error, when: () => true })

const required = (schema: z.ZodString, field: RegistrationField) =>
  schema.min(1, `กรุณากรอก${REGISTRATION_LABELS[field]}`)

const registrationForm = z.object({
  email: required(typed(), 'email').refine(isEmail, 'กรุณากรอกอีเมลให้ถูกต้อง'),
  password: newPassword.password,
} satisfies Record<RegistrationField, z.ZodType>)

const loginForm = z.object({
  email: required(typed(), 'email'),
  password: required(z.string(), 'password'),
})
export type LoginForm = z.input<typeof loginForm>

const current = z.string().min(1, 'กรุณากรอกรหัสผ่านปัจจุบัน')
const proveForm = z.object({ current })
export type ProveForm = z.input<typeof proveForm>

const passwordForm = z
  .object({ current, ...newPassword })
  .refine(form => form.current !== form.password, at('password', errorMessage('PASSWORD_SAME')))
  .refine(isTypedTwice, at('confirm_password', PASSWORDS_DIFFER))
export type PasswordForm = z.input<typeof passwordForm>

interface NewPin {
  pin: string
  confirm_pin: string
}
const isSamePin = (form: NewPin) => form.pin === form.confirm_pin

const pinForm = z
  .object({ oldPin: pin, pin, confirm_pin: z.string() })
  .refine(form => form.oldPin !== form.pin, at('pin', errorMessage('PIN_SAME')))
  .refine(isSamePin, at('confirm_pin', PINS_DIFFER))
export type PinForm = z.input<typeof pinForm>
/** The first PIN has no old one; the code is that of the shop, where one was asked for. */
const firstPinForm = z
  .object({ pin, confirm_pin: z.string(), code: z.string().transform(latinDigits) })
  .refine(isSamePin, at('confirm_pin', PINS_DIFFER))
  .refine(form => form.code === '' || /^\d{6}$/.test(form.code), at('code', 'กรอกรหัสเป็นตัวเลข 6 หลัก'))
export type FirstPinForm = z.input<typeof firstPinForm>

const infoForm = z.object({
  firstname: name,
  lastname: name,
  phonenumber: phone.refine(text => text === '' || isPhone(text), PHONE_WRONG),
})
export type InfoForm = z.input<typeof infoForm>

/** Where a schema has no text of its own, the form shows the one that the server would give. */
const words = { error: fieldProblemOf }

export const byRegistrationForm = zodResolver(registrationForm, words)
export const byLoginForm = zodResolver(loginForm, words)
export const byProveForm = zodResolver(proveForm, words)
export const byPasswordForm = zodResolver(passwordForm, words)
export const byPinForm = zodResolver(pinForm, words)
export const byFirstPinForm = zodResolver(firstPinForm, words)
export const byInfoForm = zodResolver(infoForm, words)
