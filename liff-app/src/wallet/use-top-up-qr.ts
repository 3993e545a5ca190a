import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { type Satang, toDecimalText } from '@shop/shared/money.ts'
import { getTopUpQr } from '@shop/shared/wallet/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { payeeOf, type QrTransfer } from '../transfer/pay-picture.ts'
import { isUnanswered } from '../unanswered.ts'

const STILL_MS = 400

/** Follows a value once it has stood still for a moment, so that not every key that is typed asks the server. */
function useStill<T>(value: T): T {
  const [still, setStill] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), STILL_MS)
    return () => clearTimeout(timer)
  }, [value])
  return still
}

/**
 * The QR that pays a top-up, or why there is none yet; null where the account has no PromptPay. It is never that of
 * another amount than the typed one. @param amountSatang null while the typed amount can't be topped up
 */
export function useTopUpQr(
  account: ReceivingAccount | undefined,
  amountSatang: Satang | null,
): QrTransfer | { missing: string } | null {
  const stillSatang = useStill(amountSatang)
  const isAsked = account?.hasPromptPay === true && amountSatang !== null && amountSatang === stillSatang
  const params = { receivingAccountId: account?.id, amountSatang: stillSatang }
  const answer = useQuery({ ...api.query(getTopUpQr, { params }), enabled: isAsked })
  if (!account?.hasPromptPay) return null
  if (amountSatang === null) return { missing: 'กรอกจำนวนเงินแล้ว QR จะขึ้นที่นี่' }
  if (!isAsked || answer.isPending) return { missing: 'กำลังสร้าง QR' }
  if (answer.error)
    return { missing: isUnanswered(answer.error) ? 'สร้าง QR ไม่ได้ โอนเข้าบัญชีด้านล่างแทนได้' : messageOf(answer.error) }
  if (answer.data.promptPay === null) return null
  return {
    qr: { text: answer.data.promptPay },
    amountSatang,
    payee: payeeOf(account),
    advice: 'โอนแล้วแนบสลิปในรายการเติมเงิน',
    goods: 'กระเป๋าเงิน',
    subject: 'รายการเติมเงิน',
    until: null,
    fileName: `promptpay-${toDecimalText(amountSatang)}`,
  }
}
