import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { saveTopUp, type WalletTransaction, type WalletView } from '@shop/shared/wallet/endpoints.ts'
import { addGatewayTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { focusOn } from '../ui/focus-on.ts'
import { isSameRequest, isUnanswered } from '../unanswered.ts'
import { useSlip } from '../upload/slip-attachment.tsx'
import { byTopUpForm, type ReadTopUp, type TypedTopUp } from './forms.ts'
import { findTypedProblem, readAmount } from './top-up-amount.ts'
import { useTopUpMethod } from './use-top-up-method.ts'
import { useTopUpQr } from './use-top-up-qr.ts'
import { useRefreshWallet } from './use-wallet.ts'

export const AMOUNT_FIELD = 'top-up-amount'
export const SLIP_FIELD = 'top-up-slip'

/** Refusals that are shown at the field of the amount. */
const AMOUNT_CODES: ErrorCode[] = ['TOP_UP_ABOVE_ROOM', 'TOP_UP_BELOW_MINIMUM']
const LOST = 'บันทึกไม่สำเร็จ ข้อมูลที่กรอกยังอยู่ครบ กรุณาลองอีกครั้ง หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ'

/** What is missing before a top-up can be sent: the text of the button, and the element to which a tap on it leads. */
function findMissing(slip: ReturnType<typeof useSlip> | null, amountText: string) {
  if (!amountText.trim()) return { label: 'กรอกจำนวนเงินก่อน', target: AMOUNT_FIELD }
  if (!slip) return null
  if (slip.isSending) return { label: 'กำลังอัปโหลดสลิป', target: SLIP_FIELD }
  if (slip.error) return { label: slip.canRetry ? 'อัปโหลดสลิปอีกครั้งก่อน' : 'เปลี่ยนหรือลบรูปสลิปก่อน', target: SLIP_FIELD }
  return null
}

type Request = EndpointInput<typeof saveTopUp>['body']
type GatewayRequest = EndpointInput<typeof addGatewayTopUp>['body']

/** Sends a top-up. Another try after a failure is the same request to the server. */
function useSave<Body extends { amountSatang: number }>(
  call: (body: Body, idempotencyKey: string) => Promise<{ id: string }>,
  onSaved: (id: string, amountSatang: number) => void,
) {
  const [keys] = useState(createRequestKeys)
  const refresh = useRefreshWallet()
  // True from the tap to the answer, even if something is typed meanwhile. The ref stops a second tap before the next
  // drawing.
  const [isSaving, setSaving] = useState(false)
  const isSending = useRef(false)
  const mark = (isNow: boolean) => {
    isSending.current = isNow
    setSaving(isNow)
  }
  const save = useMutation({
    mutationFn: (body: Body) => call(body, keys.getKey(body)),
    onSuccess: ({ id }, { amountSatang }) => {
      keys.endRequest()
      void refresh()
      onSaved(id, amountSatang)
    },
    onError: error => {
      if (isSameRequest(error)) return
      keys.endRequest()
      // The balance or the top-up has changed since it was shown.
      void refresh()
    },
    onSettled: () => mark(false),
  })
  const send = (body: Body) => {
    if (isSending.current) return
    mark(true)
    save.mutate(body)
  }
  return { send, isSaving, error: save.error, reset: save.reset }
}

/** The form of a new top-up, or of a waiting one that is edited. What was typed stays there after every failure. */
export function useTopUp(
  wallet: WalletView,
  edited: WalletTransaction | null,
  onSaved: (id: string, amountSatang: number) => void,
  /** Called with the id of a top-up that is now to be paid through the gateway. */
  onBegun: (id: string) => void,
) {
  const form = useForm<TypedTopUp, unknown, ReadTopUp>({
    defaultValues: { amountSatang: edited ? formatBahtShort(edited.amountSatang) : '' },
    resolver: byTopUpForm(wallet),
    reValidateMode: 'onSubmit',
    // `focusOn` does this instead, because it also scrolls to the field.
    shouldFocusError: false,
  })
  const { touchedFields, isSubmitted } = form.formState
  const [accountId, setAccountId] = useState(edited?.receivingAccountId ?? null)
  const [keptSlipId, setKeptSlipId] = useState(edited?.slipId ?? null)
  const [isAsked, setAsked] = useState(false)
  const { me } = useSession()
  const slip = useSlip(me?.uid)
  const accounts = useQuery(api.query(listReceivingAccounts))
  const amountText = form.watch('amountSatang')
  const amountSatang = readAmount(amountText)
  // The form itself checked the amount by the wallet as it was then. Its room may have changed since.
  const problem = findTypedProblem(amountText, wallet)
  const { methods, method, setMethod, keep } = useTopUpMethod(edited !== null, problem ? null : amountSatang)
  const save = useSave((body: Request, idempotencyKey) => api.call(saveTopUp, { body, idempotencyKey }), onSaved)
  const begin = useSave(
    (body: GatewayRequest, idempotencyKey) => api.call(addGatewayTopUp, { body, idempotencyKey }),
    onBegun,
  )
  const sent = method === 'bank' ? save : begin
  const account = accounts.data?.find(each => each.id === accountId) ?? accounts.data?.[0]
  // Who edits a top-up has mostly paid it, and should not be led to pay once more.
  const qr = useTopUpQr(edited || method !== 'bank' ? undefined : account, problem ? null : amountSatang)
  const slipId = slip.slipId ?? keptSlipId

  /** Drops the failure of the last try, which was about other values. */
  const forgetTry = () => {
    save.reset()
    begin.reset()
    setAsked(false)
  }
  const change =
    <T>(set: (value: T) => void) =>
    (value: T) => {
      forgetTry()
      set(value)
    }
  const submit = (isWithoutSlip: boolean) =>
    form.handleSubmit(
      read => {
        keep()
        if (method !== 'bank') return begin.send({ ...read, method })
        if (lacksSlip && !isWithoutSlip) return setAsked(true)
        save.send({ id: edited?.id, ...read, slipId, receivingAccountId: account?.id ?? null })
      },
      () => focusOn(AMOUNT_FIELD),
    )()
  const refusedAmount = sent.error instanceof AppError && AMOUNT_CODES.includes(sent.error.code)
  // Two managers must approve such an amount, and neither can do so without its slip.
  const lacksSlip = amountSatang > wallet.twoApproversAboveSatang && slipId === null
  const isTried = touchedFields.amountSatang || isSubmitted
  const isAbove = problem !== undefined && amountSatang > wallet.roomSatang
  return {
    /** Connects the field of the amount to the form. */
    amountField: form.register('amountSatang', { onChange: forgetTry }),
    setAmountText: change((text: string) => form.setValue('amountSatang', text)),
    /** Too much is told while the person is typing, too little only when they have finished. */
    amountProblem: refusedAmount ? messageOf(sent.error) : isAbove || (isTried && amountText) ? problem : undefined,
    balanceAfterSatang: problem ? null : wallet.balanceSatang + amountSatang,
    /** What comes onto the wallet; null while the typed amount can't be topped up. */
    amountSatang: problem ? null : amountSatang,
    methods,
    method,
    setMethod: change(setMethod),
    accounts: accounts.data ?? [],
    account,
    setAccountId: change(setAccountId),
    qr,
    slip,
    keptSlipId,
    removeKeptSlip: () => change(setKeptSlipId)(null),
    missing: findMissing(method === 'bank' ? slip : null, amountText),
    isSaving: sent.isSaving,
    error: !sent.error || refusedAmount ? undefined : isUnanswered(sent.error) ? LOST : messageOf(sent.error),
    /** Whether to ask first, because a large amount is about to be sent without a slip. */
    isAsked: isAsked && lacksSlip,
    /** Sends the top-up, unless its amount is refused at once or a question comes first. */
    submit: () => submit(false),
    submitWithoutSlip: () => submit(true),
  }
}
