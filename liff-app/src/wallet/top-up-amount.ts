import { AppError } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import { checkTopUpAmount, type TopUpLimits } from '@shop/shared/wallet/top-up.ts'

/** The typed amount in satang; 0 for a text that is no amount. */
export const readAmount = (text: string): Satang => parseBaht(text) ?? 0

/** Why a typed text is no amount of baht; undefined when it is one. */
export function findTextProblem(text: string): string | undefined {
  const plain = text.trim()
  const asked = commaQuestion(plain)
  if (asked) return asked
  if (parseBaht(plain) !== null) return undefined
  if (/^-\d/.test(plain)) return 'ต้องไม่ติดลบ'
  return /^[\d,]+\.\d+$/.test(plain) ? 'ทศนิยมได้ไม่เกิน 2 ตำแหน่ง' : 'กรุณากรอกจำนวนเงินเป็นตัวเลข'
}

/** Why the typed amount can't be topped up; undefined when it can. An empty text counts as 0, which is too little. */
export const findTypedProblem = (text: string, limits: TopUpLimits): string | undefined =>
  (text.trim() && findTextProblem(text)) || findAmountProblem(readAmount(text), limits)

function findAmountProblem(amountSatang: Satang, limits: TopUpLimits): string | undefined {
  try {
    checkTopUpAmount(amountSatang, limits)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const QUICK_BAHT = [500, 1000, 3000, 5000, 10_000, 20_000]
const SHOWN = 4

/** Round amounts that can be topped up now, in satang. */
export const listQuickAmounts = (limits: TopUpLimits): Satang[] =>
  QUICK_BAHT.map(baht => baht * 100)
    .filter(amountSatang => findAmountProblem(amountSatang, limits) === undefined)
    .slice(0, SHOWN)
