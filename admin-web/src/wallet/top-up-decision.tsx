import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { formatBaht, formatBahtShort } from '@shop/shared/money.ts'
import { usedTransferText } from '@shop/shared/transfer/transfer.ts'
import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { type Decision, useTopUpDecision } from './use-top-up-decision.ts'

export const APPROVE_BUTTON_ID = 'top-up-approve'
export const REASON_BOX_ID = 'top-up-reason'

/** Says why the caller can't approve the top-up; null when they can. */
function barrierText({ approvalBarrier, roomSatang }: TopUpForStaff): string | null {
  if (approvalBarrier === null) return null
  if (approvalBarrier === 'FORBIDDEN') return 'ผู้จัดการขึ้นไปเป็นผู้อนุมัติรายการนี้'
  return errorMessage(approvalBarrier, { n: formatBahtShort(roomSatang) })
}

interface Props {
  topUp: TopUpForStaff
  canCancel: boolean
  onDecided: () => void
}

export function TopUpDecision(props: Props) {
  const { status } = props.topUp
  // The gateway decides about it, and no person.
  if (status === 'waiting_payment') return null
  return status === 'waiting_approve' ? <OpenDecision {...props} /> : <PastDecision {...props} />
}

function ReasonBox(props: {
  label: string
  hint: string
  value: string
  error: string
  onChange: (to: string) => void
}) {
  const { label, hint, value, error, onChange } = props
  return (
    <div>
      <label htmlFor={REASON_BOX_ID} className="strong">
        {label}
      </label>
      <Input.TextArea
        id={REASON_BOX_ID}
        rows={2}
        maxLength={500}
        showCount
        placeholder={hint}
        value={value}
        status={error ? 'error' : undefined}
        aria-invalid={error !== ''}
        aria-describedby="top-up-reason-error"
        onChange={event => onChange(event.target.value)}
      />
      <div id="top-up-reason-error" className="field-error" role="alert">
        {error}
      </div>
    </div>
  )
}

function useReason() {
  const [reason, setReason] = useState('')
  const [error, setError] = useState('')
  const change = (to: string) => {
    setReason(to)
    setError('')
  }
  return {
    box: { value: reason, error, onChange: change },
    text: reason.trim(),
    clear: () => setReason(''),
    /** Whether a reason was typed; if not, the box says that it is missing. */
    demand: () => {
      if (reason.trim()) return true
      setError(errorMessage('REASON_REQUIRED'))
      document.getElementById(REASON_BOX_ID)?.focus()
      return false
    },
  }
}

/** What is typed and chosen for a decision, and the ways to make it. */
function useOpenDecision({ topUp, onDecided }: Omit<Props, 'canCancel'>) {
  const { modal } = App.useApp()
  const reason = useReason()
  const [receivingAccountId, setReceivingAccountId] = useState<number | null>(null)
  const decision = useTopUpDecision(topUp, () => {
    reason.clear()
    onDecided()
  })
  const amount = `฿${formatBaht(topUp.amountSatang)}`
  const make = (kind: Decision['kind'], usedByNo?: string) =>
    decision.mutate({ kind, reason: reason.text, receivingAccountId, usedByNo })
  const [user] = topUp.maybeUsedBy
  /** Money that something else may have been paid with is accepted only with a reason and after asking. */
  const approve = () =>
    !user
      ? make('approve')
      : reason.demand() &&
        modal.confirm({
          title: 'เงินเข้าสองครั้งจริงใช่ไหม?',
          content: (
            <>
              <p>
                ยอด {amount} ที่บัญชีและเวลานี้ร้านรับเป็นของ <b className="number strong">{usedTransferText(user)}</b> ไปแล้ว
              </p>
              <p>อนุมัติเฉพาะเมื่อเห็นเงินเข้าอีกหนึ่งครั้งในบัญชีธนาคาร</p>
            </>
          ),
          okText: `เงินคนละก้อน อนุมัติ ${amount}`,
          okButtonProps: { danger: true },
          cancelText: 'ปิด',
          onOk: () => make('approve', user.no),
        })
  const isBusy = (kind: Decision['kind']) => decision.isPending && decision.variables.kind === kind

  const cancel = () =>
    modal.confirm({
      title: `ยกเลิกรายการ ${topUp.no}?`,
      content: `${topUp.agentName} · ${amount}`,
      okText: 'ยกเลิกรายการ',
      okButtonProps: { danger: true },
      cancelText: 'ปิด',
      onOk: () => make('cancel'),
    })
  const reject = () => reason.demand() && make('reject')
  return {
    reason,
    receivingAccountId,
    setReceivingAccountId,
    amount,
    user,
    approve,
    reject,
    cancel,
    isBusy,
    isPending: decision.isPending,
  }
}

function OpenDecision({ topUp, canCancel, onDecided }: Props) {
  const { reason, amount, user, isBusy, isPending, ...decision } = useOpenDecision({ topUp, onDecided })
  const barrier = barrierText(topUp)
  return (
    <section className="card-part actions" aria-label="การอนุมัติ">
      {topUp.canReject && (
        <>
          <ReceivingAccount
            topUp={topUp}
            chosenId={decision.receivingAccountId}
            onChoose={decision.setReceivingAccountId}
          />
          <ReasonBox
            label="หมายเหตุ / เหตุผล"
            hint={user ? 'จำเป็นทุกกรณี ตัวแทนจะเห็นข้อความนี้' : 'จำเป็นเมื่อไม่อนุมัติ ตัวแทนจะเห็นข้อความนี้'}
            {...reason.box}
          />
        </>
      )}
      {barrier && (
        <p id="top-up-barrier" className="barrier">
          {barrier}
        </p>
      )}
      {topUp.canReject && (
        <div className="action-buttons">
          <Button size="large" danger loading={isBusy('reject')} disabled={isPending} onClick={decision.reject}>
            ไม่อนุมัติ
          </Button>
          <Button
            id={APPROVE_BUTTON_ID}
            className="is-main"
            type="primary"
            size="large"
            loading={isBusy('approve')}
            disabled={barrier !== null || isPending}
            aria-describedby={barrier ? 'top-up-barrier' : undefined}
            onClick={decision.approve}
          >
            อนุมัติ {amount}
          </Button>
        </div>
      )}
      {canCancel && (
        <Button type="link" danger className="quiet" disabled={isPending} onClick={decision.cancel}>
          ยกเลิกรายการที่บันทึกเอง
        </Button>
      )}
    </section>
  )
}

/** The account that received the money; it is asked for when the top-up does not say it. */
function ReceivingAccount(props: {
  topUp: TopUpForStaff
  chosenId: number | null
  onChoose: (id: number | null) => void
}) {
  const { topUp, chosenId, onChoose } = props
  const client = useClient()
  const { data } = useQuery({ ...client.query(listReceivingAccounts), staleTime: 300_000 })
  const options = data?.map(each => ({ value: each.id, label: `${each.bankName} ${each.accountNo}` }))
  if (topUp.receivingAccountId !== null) {
    const label = options?.find(each => each.value === topUp.receivingAccountId)?.label
    return (
      <div className="small">
        <span className="muted">บัญชีที่รับเงิน</span> {label ?? `#${topUp.receivingAccountId}`}
      </div>
    )
  }
  return (
    <div>
      <label htmlFor="top-up-account" className="strong">
        บัญชีที่รับเงิน
      </label>
      <Select
        id="top-up-account"
        allowClear
        placeholder="ไม่ระบุ"
        value={chosenId}
        options={options}
        onChange={id => onChoose(id ?? null)}
        style={{ width: '100%' }}
      />
    </div>
  )
}

function PastDecision({ topUp, onDecided }: Props) {
  const { modal } = App.useApp()
  const reason = useReason()
  const decision = useTopUpDecision(topUp, () => {
    reason.clear()
    onDecided()
  })
  const amount = `฿${formatBaht(topUp.amountSatang)}`
  const facts: Fact[] = [
    ['ผู้ดำเนินการ', topUp.decidedByName ?? (topUp.payment === 'bank' ? null : 'ระบบ')],
    ['เมื่อ', topUp.decidedDate && formatDateTimeSeconds(topUp.decidedDate)],
    [topUp.isCorrected ? 'เหตุผลที่ดึงเงินคืน' : 'หมายเหตุ / เหตุผล', topUp.reason],
  ]
  const correct = () =>
    reason.demand() &&
    modal.confirm({
      title: `ดึงเงินคืน ${amount}?`,
      content: `${topUp.no} · ${topUp.agentName} ยอดนี้จะถูกหักออกจากกระเป๋าเงิน`,
      okText: 'ดึงเงินคืน',
      okButtonProps: { danger: true },
      cancelText: 'ปิด',
      onOk: () => decision.mutate({ kind: 'correct', reason: reason.text, receivingAccountId: null }),
    })
  return (
    <section className="card-part actions" aria-label="ผลการอนุมัติ">
      <Facts isSmall facts={facts} />
      {topUp.isCorrected && <p className="barrier">ดึงเงินของรายการนี้คืนแล้ว</p>}
      {topUp.canCorrect && (
        <>
          <ReasonBox label="อนุมัติผิด?" hint="เหตุผลที่ดึงเงินคืน" {...reason.box} />
          <Button danger disabled={decision.isPending} onClick={correct}>
            ดึงเงินคืน…
          </Button>
        </>
      )}
    </section>
  )
}
