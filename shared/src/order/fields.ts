import * as z from 'zod'
import { BANKS } from '../catalogue/banks.ts'
import { line } from '../line.ts'
import { latinDigits, withoutGaps } from '../typed-text.ts'

// Fields that people type about an account that money goes to; the storefront's forms validate them like the server
// (see account/fields.ts).

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
