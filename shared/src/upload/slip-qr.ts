import { slipVerify, trueMoneySlipVerify } from 'promptparse/validate'

/** What a QR on a slip picture says. A slip's QR holds no amount and proves no payment: it only tells slips apart. */
export type SlipQr =
  | { kind: 'slip'; sendingBank: string; reference: string }
  /** The shop's own payment QR was photographed instead of the slip. */
  | { kind: 'payment' }

/** Reads the text of a QR found on a slip; null when it is something else. */
export function readSlipQr(raw: string): SlipQr | null {
  const text = raw.trim()
  const bank = slipVerify(text)
  if (bank) return { kind: 'slip', sendingBank: bank.sendingBank, reference: bank.transRef }
  const trueMoney = trueMoneySlipVerify(text)
  if (trueMoney?.transactionId && trueMoney.eventType && trueMoney.date) {
    return { kind: 'slip', sendingBank: 'truemoney', reference: trueMoney.transactionId }
  }
  return /^000201/.test(text) && text.includes('A000000677') ? { kind: 'payment' } : null
}
