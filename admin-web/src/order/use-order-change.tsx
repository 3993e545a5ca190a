import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { AppError, errorMessage, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { listAllOrders, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { listQueue } from '@shop/shared/order/queue-endpoints.ts'
import { STAFF_COMMAND, type StaffCommand } from '@shop/shared/order/staff-command.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { notSaved } from '../ui/not-saved.ts'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { type Seen, seenAfter } from '../ui/seen-refusal.ts'
import { isSentOn } from '../ui/sent-on.ts'
import { CommandDialog } from './command-dialog.tsx'

/** What is needed of an order to change its status. */
export interface ChangeableOrder {
  orderNo: string
  status: OrderStatus
  amountSatang: number
}

interface Text extends Seen {
  reason?: string
  deliveryReference?: string
  /** Claims the order as well, when it is marked as paid. */
  andClaim?: boolean
  /** Why staff go on by hand although the supplier may still deliver. */
  supplierRiskReason?: string
}

interface Change {
  order: ChangeableOrder
  command: StaffCommand
  text: Text
}

const isAtRisk = (error: unknown) => error instanceof AppError && error.code === 'SUPPLIER_OUTCOME_OPEN'

/** The status that a command leads to, which the call names. */
function statusAfter({ status }: ChangeableOrder, command: StaffCommand): OrderStatus {
  const wanted = ORDER_STATUS[status].moves[command]
  if (!wanted) throw new Error(`${command} leads nowhere from ${status}`)
  return wanted
}

/** Runs after a command was carried out. */
export type OnOrderChanged = (order: ChangeableOrder, command: StaffCommand) => void

/** Refusals that mean that the screen is old: somebody else was faster, or the order has changed. */
const OUTDATED = ['ORDER_CLAIMED_BY_OTHER', 'ORDER_STATUS_NOT_ALLOWED', 'OWN_ORDER', 'CONFLICT']

/**
 * Changes an order's status, at once or after asking for a reason or reference. The caller renders `dialog`, which
 * `ask` opens; `onChanged` runs after each change that was made.
 */
export function useOrderChange(onChanged: OnOrderChanged = () => undefined): {
  ask: (order: ChangeableOrder, command: StaffCommand) => void
  make: (order: ChangeableOrder, command: StaffCommand, text?: Text) => void
  /** The order number being changed, if any. */
  busy: string | null
  dialog: ReactNode
} {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const me = useMe()
  const [asked, setAsked] = useState<Omit<Change, 'text'> | null>(null)
  const [atRisk, setAtRisk] = useState<Change | null>(null)

  const reload = async (orderNo: string) => {
    const order = client.query(getOrderForStaff, { params: { orderNo } })
    const isShown = queries.getQueryState(order.queryKey) !== undefined
    // An answer that is still on its way may be from before the change.
    await queries.cancelQueries(order)
    await Promise.all([
      queries.invalidateQueries({ queryKey: [listAllOrders.path] }),
      queries.invalidateQueries({ queryKey: [listQueue.path] }),
      queries.invalidateQueries({ queryKey: [getBacklog.path] }),
      isShown && queries.prefetchQuery({ ...order, staleTime: 0 }),
    ])
  }

  const explain = async (orderNo: string, error: unknown) => {
    if (!(error instanceof AppError) || !OUTDATED.includes(error.code)) return
    setAsked(null)
    await reload(orderNo)
    const order = await queries.fetchQuery(client.query(getOrderForStaff, { params: { orderNo } })).catch(() => null)
    const other = order?.claimedBy !== me.uid ? order?.claimedByName : null
    message.error({ content: other ? `${other} รับเรื่อง ${orderNo} ไปแล้ว` : messageOf(error), duration: 6 })
  }

  /** Stops a second click that comes before the button is drawn as busy. */
  const isSent = useRef(false)
  const mutation = useMutation({
    mutationFn: ({ order, command, text }: Change) =>
      client.call(updateOrderStatus, {
        body: { orderNo: order.orderNo, status: statusAfter(order, command), ...text },
      }),
    onSuccess: async (_, { order, command, text }) => {
      setAsked(null)
      setAtRisk(null)
      const last = text.andClaim ? 'claim' : command
      message.success(`${STAFF_COMMAND[last].done} ${order.orderNo}`)
      await reload(order.orderNo)
      onChanged(order, last)
    },
    onError: (error, change) => {
      const { order, command } = change
      if (isAtRisk(error)) return setAtRisk(change)
      const isTold = STAFF_COMMAND[command].needs !== null && asked !== null
      if (error instanceof AppError && OUTDATED.includes(error.code)) void explain(order.orderNo, error)
      else if (!isTold && !isSentOn(error)) message.error({ content: notSaved(error), duration: 6 })
    },
    onSettled: () => {
      isSent.current = false
    },
  })
  const send = (change: Change) => {
    if (isSent.current) return
    isSent.current = true
    mutation.mutate(change)
  }

  const submit = (text: Text) =>
    asked && make(asked.order, asked.command, { ...text, ...seenAfter(mutation.error, mutation.variables?.text) })
  const make = (order: ChangeableOrder, command: StaffCommand, text: Text = {}) => send({ order, command, text })
  return {
    ask: (order, command) => {
      mutation.reset()
      if (STAFF_COMMAND[command].needs === null) make(order, command)
      else setAsked({ order, command })
    },
    make,
    busy: mutation.isPending ? mutation.variables.order.orderNo : null,
    dialog: atRisk ? (
      <ReasonDialog
        title="ยังไม่ทราบผลจากผู้จำหน่าย"
        okText="ทำต่อเอง"
        cancelText="รอผลก่อน"
        isDanger
        label="เหตุผลที่ทำต่อเอง"
        hint="ทีมงานเท่านั้นที่เห็น"
        isBusy={mutation.isPending}
        failure={null}
        onSubmit={supplierRiskReason => send({ ...atRisk, text: { ...atRisk.text, supplierRiskReason } })}
        onClose={() => setAtRisk(null)}
      >
        <p className="muted number">{atRisk.order.orderNo}</p>
        <Alert type="warning" showIcon className="form-alert" title={errorMessage('SUPPLIER_OUTCOME_OPEN')} />
      </ReasonDialog>
    ) : (
      asked && (
        <CommandDialog
          title={`${STAFF_COMMAND[asked.command].question}?`}
          about={`${asked.order.orderNo} · ฿${formatBaht(asked.order.amountSatang)}`}
          command={asked.command}
          isBusy={mutation.isPending}
          failure={mutation.error && !mutation.isPending ? notSaved(mutation.error) : null}
          onSubmit={submit}
          further={
            asked.command === 'markPaid'
              ? { label: 'ได้รับเงินแล้ว และรับเรื่อง', onSubmit: text => submit({ ...text, andClaim: true }) }
              : undefined
          }
          onClose={() => setAsked(null)}
        />
      )
    ),
  }
}
