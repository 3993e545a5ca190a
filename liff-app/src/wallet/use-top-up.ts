import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { saveTopUp, type WalletTransaction, type WalletView } from '@shop/shared/wallet/endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { isSameRequest, isUnanswered } from '../unanswered.ts'
import { useSlip } from '../upload/slip-attachment.tsx'
import { findTypedProblem, readAmount } from './top-up-amount.ts'
import { useRefreshWallet } from './use-wallet.ts'

export const AMOUNT_FIELD = 'top-up-amount'
export const SLIP_FIELD = 'top-up-slip'

/** Said where it happened: at the amount. */
const AMOUNT_CODES: ErrorCode[] = ['TOP_UP_ABOVE_ROOM', 'TOP_UP_BELOW_MINIMUM']
const LOST = 'บันทึกไม่สำเร็จ ข้อมูลที่กรอกยังอยู่ครบ กรุณาลองอีกครั้ง หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ'

/** What still keeps a top-up from being sent: what the button says, and where a tap on it leads. */
function findMissing(slip: ReturnType<typeof useSlip>, amountText: string) {
  if (!amountText.trim()) return { label: 'กรอกจำนวนเงินก่อน', target: AMOUNT_FIELD }
  if (slip.isSending) return { label: 'กำลังอัปโหลดสลิป', target: SLIP_FIELD }
  if (slip.state.kind === 'refused')
    return { label: slip.state.canRetry ? 'อัปโหลดสลิปอีกครั้งก่อน' : 'เปลี่ยนหรือลบรูปสลิปก่อน', target: SLIP_FIELD }
  return null
}

/**
 * A top-up being written: a new one, or a waiting row being edited. What was typed stays through every failure; the
 * same request tried again is the same request to the server.
 */
export function useTopUp(wallet: WalletView, edited: WalletTransaction | null, onSaved: () => void) {
  const [amountText, setAmountText] = useState(edited ? formatBahtShort(edited.amountSatang) : '')
  const [hasTried, setTried] = useState(false)
  const [accountId, setAccountId] = useState(edited?.receivingAccountId ?? null)
  const [keptSlipId, setKeptSlipId] = useState(edited?.slipId ?? null)
  const [keys] = useState(createRequestKeys)
  // Set within the tap itself, so that not even a second tap in the same instant gets through.
  const [isSaving, setSaving] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const slip = useSlip()
  const accounts = useQuery(api.query(listReceivingAccounts))
  const refresh = useRefreshWallet()
  const amountSatang = readAmount(amountText)
  const problem = findTypedProblem(amountText, wallet)
  const account = accounts.data?.find(each => each.id === accountId) ?? accounts.data?.[0]
  const request = {
    id: edited?.id,
    amountSatang,
    slipId: slip.slipId ?? keptSlipId,
    receivingAccountId: account?.id ?? null,
  }

  const save = useMutation({
    mutationFn: () => api.call(saveTopUp, { body: request, idempotencyKey: keys.getKey(request) }),
    onSuccess: () => {
      keys.endRequest()
      void refresh()
      onSaved()
    },
    onError: error => {
      if (isSameRequest(error)) return
      keys.endRequest()
      // The balance or the row has changed since it was shown.
      void refresh()
    },
    onSettled: () => setSaving(false),
  })
  const change =
    <T>(set: (value: T) => void) =>
    (value: T) => {
      save.reset()
      setAsked(false)
      set(value)
    }
  const refusedAmount = save.error instanceof AppError && AMOUNT_CODES.includes(save.error.code)
  // Two people look at that much, and neither can approve it without its slip.
  const lacksSlip = amountSatang > wallet.twoApproversAboveSatang && request.slipId === null
  const isAbove = problem !== undefined && amountSatang > wallet.roomSatang
  return {
    amountText,
    setAmountText: change(setAmountText),
    /** Too much can be said at once; too little only once they have finished typing. */
    amountProblem: refusedAmount ? messageOf(save.error) : isAbove || (hasTried && amountText) ? problem : undefined,
    showProblem: () => setTried(true),
    balanceAfterSatang: problem ? null : wallet.balanceSatang + amountSatang,
    accounts: accounts.data ?? [],
    account,
    setAccountId: change(setAccountId),
    slip,
    keptSlipId,
    removeKeptSlip: () => change(setKeptSlipId)(null),
    missing: findMissing(slip, amountText),
    isSaving,
    error: !save.error || refusedAmount ? undefined : isUnanswered(save.error) ? LOST : messageOf(save.error),
    /** A large amount is about to be sent without a slip: that is asked about first. */
    isAsked: isAsked && lacksSlip,
    /** Sends it, unless the amount is refused at once or a question comes first; tells whether the amount may be sent. */
    submit: (isWithoutSlip = false): boolean => {
      setTried(true)
      if (problem || isSaving) return !problem
      if (lacksSlip && !isWithoutSlip) {
        setAsked(true)
        return true
      }
      setSaving(true)
      save.mutate()
      return true
    },
  }
}
