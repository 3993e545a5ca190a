import { parseBaht, type Satang } from '@shop/shared/money.ts'

/** A form rule: what was typed is an amount of at least zero; empty or unreadable text is not. */
export function amountRule(message: string) {
  return {
    required: true,
    validator: async (_: unknown, text: string | undefined) => {
      if (parseBaht(text ?? '') === null) throw new Error(message)
    },
  }
}

/** Satang of a text that passed `amountRule`. */
export function readAmount(text: string): Satang {
  const amount = parseBaht(text)
  if (amount === null) throw new Error(`not an amount: ${text}`)
  return amount
}
