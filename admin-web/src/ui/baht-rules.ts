import type { Satang } from '@shop/shared/money.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'

/** A form rule that takes amounts of zero or more, and refuses empty and unreadable texts. */
export function amountRule(message: string) {
  return {
    required: true,
    validator: async (_: unknown, text: string | undefined) => {
      if (parseBaht(text ?? '') === null) throw new Error(commaQuestion(text ?? '') ?? message)
    },
  }
}

/**
 * Reads a text that passed `amountRule`.
 * @throws Error when it is no amount
 */
export function readAmount(text: string): Satang {
  const amount = parseBaht(text)
  if (amount === null) throw new Error(`not an amount: ${text}`)
  return amount
}
