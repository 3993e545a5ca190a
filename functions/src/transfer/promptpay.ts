import { toDecimalText } from '@shop/shared/money.ts'
import { anyId } from 'promptparse/generate'

/** Returns the text of the PromptPay QR for an exact amount. */
export function promptPayText(promptPayId: string, amountSatang: number): string {
  const type = promptPayId.length === 10 ? 'MSISDN' : promptPayId.length === 13 ? 'NATID' : 'EWALLETID'
  return anyId({ type, target: promptPayId, amount: Number(toDecimalText(amountSatang)) })
}
