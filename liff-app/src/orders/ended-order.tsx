import { getOrder } from '@shop/shared/order/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { forgetCurrentOrder } from '../current-order.ts'
import { useToast } from '../ui/toast.tsx'
import { awaitsPayment } from './order-facts.ts'
import { OUT_OF_TIME } from './paying.tsx'

const FOLLOW_MS = 15_000

/** Tells, once and wherever the buyer is by then, that the time to pay their order ran out; the page for paying does so itself. */
export default function EndedOrder({ orderNo }: { orderNo: string }) {
  const toast = useToast()
  const { data: order } = useQuery({
    ...api.query(getOrder, { params: { orderNo } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && awaitsPayment(state.data) ? FOLLOW_MS : false),
  })
  const isOver = order?.status === 'expired' && order.transferReportedAt === null
  useEffect(() => {
    if (!isOver) return
    toast(OUT_OF_TIME)
    forgetCurrentOrder()
  }, [isOver, toast])
  return null
}
