import { AppError } from '@shop/shared/errors.ts'
import { parseBaht, type Satang } from '@shop/shared/money.ts'
import { checkTopUpAmount, type TopUpLimits } from '@shop/shared/wallet/top-up.ts'

/** What was typed, in satang; empty or not an amount counts as zero. */
export const readAmount = (text: string): Satang => parseBaht(text) ?? 0

/** Why what was typed can't be topped up, in words; undefined when it can. Nothing typed is below the minimum. */
export function findTypedProblem(text: string, limits: TopUpLimits): string | undefined {
  const plain = text.trim().replaceAll(',', '')
  if (plain === '' || parseBaht(plain) !== null) return findAmountProblem(readAmount(plain), limits)
  if (/^-\d/.test(plain)) return 'ต้องไม่ติดลบ'
  return /^\d+\.\d+$/.test(plain) ? 'ทศนิยมได้ไม่เกิน 2 ตำแหน่ง' : 'กรุณากรอกจำนวนเงินเป็นตัวเลข'
}

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

/** Round amounts that fit, in satang. */
export const listQuickAmounts = (limits: TopUpLimits): Satang[] =>
  QUICK_BAHT.map(baht => baht * 100)
    .filter(amountSatang => findAmountProblem(amountSatang, limits) === undefined)
    .slice(0, SHOWN)
