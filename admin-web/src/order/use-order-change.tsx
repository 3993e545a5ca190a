import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { getOrderForStaff, listAllOrders, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/order.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { type ReactNode, useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { type Change, changeOf } from './changes.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** What a change needs to know of its order. */
export interface ChangeableOrder {
  orderNo: string
  status: OrderStatus
  amountSatang: number
}

interface Text {
  reason?: string
  deliveryReference?: string
}

/** Somebody else was faster, or the order moved on: the screen is old, not the person wrong. */
const OUTDATED = ['ORDER_CLAIMED_BY_OTHER', 'ORDER_STATUS_NOT_ALLOWED', 'CONFLICT']

/**
 * Changes an order's status: at once, or after asking for what must be written down.
 * Render `dialog` somewhere; `ask` opens it. `onChanged` runs after each change that was made.
 */
export function useOrderChange(onChanged: () => void = () => undefined): {
  ask: (order: ChangeableOrder, to: OrderStatus) => void
  make: (order: ChangeableOrder, change: Change, text?: Text) => void
  /** The order number being changed, if any. */
  busy: string | null
  dialog: ReactNode
} {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const me = useMe()
  const [asked, setAsked] = useState<{ order: ChangeableOrder; change: Change } | null>(null)

  const reload = (orderNo: string) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [listAllOrders.path] }),
      queries.invalidateQueries({ queryKey: [getOrderForStaff.path, { orderNo }] }),
    ])

  const explain = async (orderNo: string, error: unknown) => {
    if (!(error instanceof AppError) || !OUTDATED.includes(error.code)) return
    setAsked(null)
    await reload(orderNo)
    const order = await queries.fetchQuery(client.query(getOrderForStaff, { params: { orderNo } })).catch(() => null)
    const other = order?.claimedBy !== me.uid ? order?.claimedByName : null
    message.error({ content: other ? `${other} รับเรื่อง ${orderNo} ไปแล้ว` : error.message, duration: 6 })
  }

  const mutation = useMutation({
    mutationFn: ({ order, change, text }: { order: ChangeableOrder; change: Change; text: Text }) =>
      client.call(updateOrderStatus, { body: { orderNo: order.orderNo, status: change.to, ...text } }),
    onSuccess: async (_, { order, change }) => {
      setAsked(null)
      message.success(`${change.done} ${order.orderNo}`)
      await reload(order.orderNo)
      onChanged()
    },
    onError: (error, { order, change }) => {
      const isTold = change.needs !== null && asked !== null
      if (error instanceof AppError && OUTDATED.includes(error.code)) void explain(order.orderNo, error)
      else if (!isTold) message.error({ content: `บันทึกข้อมูลไม่สำเร็จ ${messageOf(error)}`, duration: 6 })
    },
  })

  const make = (order: ChangeableOrder, change: Change, text: Text = {}) => mutation.mutate({ order, change, text })
  return {
    ask: (order, to) => {
      const change = changeOf(order.status, to)
      mutation.reset()
      if (change.needs === null) make(order, change)
      else setAsked({ order, change })
    },
    make,
    busy: mutation.isPending ? mutation.variables.order.orderNo : null,
    dialog: asked && (
      <ReasonDialog
        title={`${asked.change.question}?`}
        about={`${asked.order.orderNo} · ฿${formatBaht(asked.order.amountSatang)}`}
        change={asked.change}
        isBusy={mutation.isPending}
        failure={mutation.error && !mutation.isPending ? `บันทึกข้อมูลไม่สำเร็จ ${messageOf(mutation.error)}` : null}
        onSubmit={text => make(asked.order, asked.change, text)}
        onClose={() => setAsked(null)}
      />
    ),
  }
}
