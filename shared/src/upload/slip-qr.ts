import { slipVerify, trueMoneySlipVerify } from 'promptparse/validate'

/**
 * The content of a QR code on a slip's picture. It has no amount and proves no payment; it only distinguishes slips.
 */
export type SlipQr =
  | { kind: 'slip'; sendingBank: string; reference: string }
  /** Somebody photographed the shop's own payment QR code instead of the slip. */
  | { kind: 'payment' }

/** The sender of a slip of TrueMoney's wallet, which is no bank. */
export const TRUE_MONEY = 'truemoney'

/** Reads the text of a QR found on a slip; null when it is something else. */
export function readSlipQr(raw: string): SlipQr | null {
  const text = raw.trim()
  const bank = slipVerify(text)
  if (bank) return { kind: 'slip', sendingBank: bank.sendingBank, reference: bank.transRef }
  const trueMoney = trueMoneySlipVerify(text)
  if (trueMoney?.transactionId && trueMoney.eventType && trueMoney.date) {
    return { kind: 'slip', sendingBank: TRUE_MONEY, reference: trueMoney.transactionId }
  }
  return /^000201/.test(text) && text.includes('A000000677') ? { kind: 'payment' } : null
}

/** Of the QR codes of a picture the slip's own; one for paying only where there is no other. */
export function pickSlipQr(texts: readonly string[]): { qr: SlipQr; qrText: string } | null {
  const read = texts.flatMap(text => {
    const qr = readSlipQr(text)
    return qr ? [{ qr, qrText: text.trim() }] : []
  })
  return read.find(({ qr }) => qr.kind === 'slip') ?? read[0] ?? null
}
