import { type OrderView, reportOrderTransfer } from '@shop/shared/order/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { isUnanswered } from '../unanswered.ts'

/** Tells the shop that the money was transferred, with a slip if there is one. `onRefused` hears that it refused. */
export const useReportTransfer = (onReported: (order: OrderView) => void, onRefused: () => unknown) =>
  useMutation({
    mutationFn: ({ orderNo, slipId }: { orderNo: string; slipId?: string }) =>
      api.call(reportOrderTransfer, {
        params: { orderNo },
        body: { slipId },
        // Another try after a lost connection is the same request.
        idempotencyKey: `report-${orderNo}-${slipId ?? 'no-slip'}`,
      }),
    onSuccess: onReported,
    onError: error => !isUnanswered(error) && onRefused(),
  })
