import { creditOwedRefund } from '@shop/shared/credit/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { listOwedRefunds, type OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { isSentOn } from '../ui/sent-on.ts'

/** Pays owed money as shop credit, where its owner asked for that and the shop could not do it at once. */
export function CreditRefundButton({ refund }: { refund: OwedRefund }) {
  const { id, payeeVersion, amountSatang, orderNo } = refund
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  const pay = useMutation({
    mutationFn: () => {
      const body = { payeeVersion }
      return client.call(creditOwedRefund, { params: { id }, body, idempotencyKey: keys.getKey({ id, ...body }) })
    },
    onSuccess: () => message.success('คืนเป็นเครดิตร้านแล้ว'),
    // Where it went is told on every page, see SecondWordNotice.
    onError: error => void (isSentOn(error) || message.error(messageOf(error))),
    onSettled: () => queries.invalidateQueries({ queryKey: [listOwedRefunds.path] }),
  })
  const name = `คืนเป็นเครดิตร้าน ฿${formatBaht(amountSatang)} ${orderNo ?? ''}`.trim()
  return (
    <Popconfirm
      title={`${name}?`}
      okText="คืนเป็นเครดิต"
      cancelText="ไม่ใช่"
      onConfirm={() => pay.mutateAsync().catch(() => {})}
    >
      <Button type="primary" aria-label={name} loading={pay.isPending}>
        คืนเป็นเครดิต…
      </Button>
    </Popconfirm>
  )
}
