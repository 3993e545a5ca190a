import * as z from 'zod'
import { BANKS, bankOf } from '../catalogue/banks.ts'
import { line } from '../line.ts'
import { latinDigits, withoutGaps } from '../typed-text.ts'

const BANK_ACCOUNT = /^\d{10,15}$/
/** A telephone number, an identity or tax number, or the number of an e-wallet. */
const PROMPT_PAY = /^(0\d{9}|\d{13}|\d{15})$/

const bankCode = z.string().refine(code => BANKS.some(bank => bank.code === code), 'กรุณาเลือกธนาคาร')
/** The digits of an account's number, however they were typed. */
export const accountNo = z
  .string()
  .overwrite(text => latinDigits(withoutGaps(text)))
  .regex(/^\d+$/, 'กรุณากรอกเป็นตัวเลข')

/** Where money that is owed to somebody without a wallet is to be sent. */
export const payee = z
  .object({
    /** The bank's clearing code; null for a PromptPay number. */
    bankCode: bankCode.nullable(),
    accountNo,
    accountName: line(100).min(1),
  })
  .superRefine(({ bankCode: bank, accountNo }, context) => {
    if ((bank === null ? PROMPT_PAY : BANK_ACCOUNT).test(accountNo)) return
    const message = bank === null ? 'พร้อมเพย์ต้องเป็นเบอร์โทร 10 หลัก เลข 13 หลัก หรือ 15 หลัก' : 'เลขที่บัญชีต้องเป็นตัวเลข 10–15 หลัก'
    context.addIssue({ code: 'custom', path: ['accountNo'], message })
  })
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
