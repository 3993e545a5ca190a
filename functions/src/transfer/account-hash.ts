import { createHmac } from 'node:crypto'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { fingerprintOf } from '../asking/keys.ts'

/** A bank account, or a PromptPay number, for which the bank's code is null. */
interface AccountNumber {
  bankCode: string | null
  accountNo: string
}

/** Recognises an account again without telling its number; who has the database alone can't try all numbers. */
export type HashAccount = (account: AccountNumber) => string

/** What a hash begins with, so that it tells which key made it. */
export const hashPrefixOf = (key: string): string => `${fingerprintOf(key)}.`

/** @param keys those of TOTP_KEY, of which the newest is used; `ops keys --renew` moves what older ones made */
export function openAccountHash({ TOTP_KEY: [newest] }: { TOTP_KEY: readonly string[] }): HashAccount {
  const prefix = hashPrefixOf(newest!)
  return ({ bankCode, accountNo }) => {
    const bank = bankCode === null ? 'promptpay' : bankOf(bankCode).code
    const hash = createHmac('sha256', newest!).update(`account of a payment\n${bank}\n${accountNo}`).digest('base64url')
    return prefix + hash
  }
}
