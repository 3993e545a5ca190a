import { type Bank, bankOf } from '@shop/shared/catalogue/banks.ts'

/** What a bank's mark shows where there is no logo. */
export const toMark = (bankCode: string): { colour: string; monogram: string } => {
  const { color, shortCode }: Bank = bankOf(bankCode)
  return { colour: color, monogram: shortCode.slice(0, 2) }
}

/** "โอนเงิน กสิกรไทย" */
export const nameBankPayment = (bankCode: string): string => `โอนเงิน ${bankOf(bankCode).niceName}`

/** "012-3-45678-9" for the ten digits of most banks; other numbers as they are. */
export const formatAccountNo = (accountNo: string): string =>
  accountNo.replace(/^(\d{3})(\d)(\d{5})(\d)$/, '$1-$2-$3-$4')
