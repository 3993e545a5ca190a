import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import {
  cancelTopUp,
  correctTopUp,
  decideTopUp,
  getTopUpForStaff,
  listAllTransactions,
  type TopUpForStaff,
} from '@shop/shared/wallet/endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { isSentOn } from '../ui/sent-on.ts'

export interface Decision {
  kind: 'approve' | 'reject' | 'cancel' | 'correct'
  reason: string
  receivingAccountId: number | null
  /** What may have been paid with the same money; the approver has seen it and approves all the same. */
  usedByNo?: string
}

/** What was done, in words. */
const done: Record<Decision['kind'], (topUp: TopUpForStaff) => string> = {
  approve: ({ amountSatang, agentName }) => `อนุมัติ ฿${formatBaht(amountSatang)} ให้ ${agentName} แล้ว`,
  reject: ({ no }) => `ไม่อนุมัติ ${no} แล้ว`,
  cancel: ({ no }) => `ยกเลิก ${no} แล้ว`,
  correct: ({ amountSatang, agentName }) => `ดึงเงิน ฿${formatBaht(amountSatang)} คืนจาก ${agentName} แล้ว`,
}

/** Refusals that mean that the screen is old: another person has decided or edited meanwhile. */
const OUTDATED = ['CONFLICT', 'TOP_UP_NOT_WAITING', 'NOT_FOUND', 'TRANSFER_MAY_BE_USED']

/** Sends decisions about a top-up, then reads again what they change. */
export function useTopUpDecision(topUp: TopUpForStaff, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  const { id, version } = topUp

  const send = ({ kind, reason, receivingAccountId, usedByNo }: Decision): Promise<{ status?: string }> => {
    if (kind === 'cancel') return client.call(cancelTopUp, { body: { id, status: 'cancel' } })
    if (kind === 'correct') {
      const body = { id, reason }
      return client.call(correctTopUp, { body, idempotencyKey: keys.getKey(body) }).then(() => ({}))
    }
    const body = { id, version, status: kind, reason: reason || undefined, receivingAccountId, usedByNo }
    return client.call(decideTopUp, { body, idempotencyKey: keys.getKey(body) })
  }
  const reload = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [listAllTransactions.path] }),
      queries.invalidateQueries({ queryKey: [getTopUpForStaff.path, { id }] }),
    ])
  return useMutation({
    mutationFn: send,
    onSuccess: async ({ status }, { kind }) => {
      const isHalf = kind === 'approve' && status === 'waiting_approve'
      message.success(isHalf ? `อนุมัติ ฿${formatBaht(topUp.amountSatang)} แล้ว รอผู้อนุมัติคนที่สอง` : done[kind](topUp))
      await reload()
      onDone()
    },
    onError: async error => {
      if (isSentOn(error)) return
      message.error({ content: `บันทึกไม่สำเร็จ กรุณาลองใหม่อีกครั้ง (${messageOf(error)})`, duration: 6 })
      if (error instanceof AppError && OUTDATED.includes(error.code)) await reload()
    },
  })
}
