import * as z from 'zod'
import { bankOf } from '../catalogue/banks.ts'
import type { payee } from './fields.ts'

export type Payee = z.output<typeof payee>

/** What everybody but those who send the money may know of it. */
export const payeeEnd = z.object({ bankCode: z.string().nullable(), end: z.string() })
export type PayeeEnd = z.output<typeof payeeEnd>

/** Hides an account but for its bank and its last digits. */
export const endOfPayee = ({ bankCode: bank, accountNo }: Payee): PayeeEnd => ({
  bankCode: bank,
  end: accountNo.slice(-4),
})

/** Names the bank: "กสิกรไทย", "พร้อมเพย์". */
export const bankOfPayee = ({ bankCode: bank }: Pick<Payee, 'bankCode'>): string =>
  bank === null ? 'พร้อมเพย์' : bankOf(bank).niceName

/** "กสิกรไทย x4521" */
export const payeeEndText = (shown: PayeeEnd): string => `${bankOfPayee(shown)} x${shown.end}`
