import { PAYMENT_METHOD, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clearPurchase } from '../current-order.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { useGoOn } from '../ui/use-go-on.ts'
import { cancelOrder } from './cancel-order.ts'

const TRANSFERRED = 'หากโอนเงินแล้ว อย่ายกเลิก ให้กด “โอนแล้ว แจ้งชำระเงิน”'
/** What is said to buyers whose money may be on its way. */
const MAYBE_PAID: Record<PaymentKind, string> = {
  bank: TRANSFERRED,
  wallet: TRANSFERRED,
  credit: TRANSFERRED,
  gateway: 'หากจ่ายเงินแล้ว อย่ายกเลิก หน้านี้จะเปลี่ยนเองเมื่อร้านได้รับเงิน',
}

interface CancelDialogProps {
  order: Pick<OrderView, 'orderNo' | 'payment'>
  open: boolean
  onClose: () => void
}

/** Asks before an unpaid order is cancelled, cancels it, and leads back to the games. */
export function CancelDialog({ order: { orderNo, payment }, open, onClose }: CancelDialogProps) {
  const goOn = useGoOn()
  const toast = useToast()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelOrder(orderNo),
    onSuccess: () => {
      clearPurchase()
      void queries.invalidateQueries()
      toast({ text: `ยกเลิกรายการ ${orderNo} สำเร็จ` })
      goOn('/game', { replace: true })
    },
  })
  return (
    <ConfirmDialog
      open={open}
      title="ยกเลิกคำสั่งซื้อ"
      text={
        <>
          <p>{`คุณต้องการยกเลิกคำสั่งซื้อ ${orderNo} หรือไม่?`}</p>
          <p>{MAYBE_PAID[PAYMENT_METHOD[payment].kind]}</p>
        </>
      }
      confirmLabel="ยกเลิกคำสั่งซื้อ"
      keepLabel="เก็บรายการไว้"
      busy={cancel.isPending}
      error={cancel.error}
      failure="ไม่สามารถยกเลิก order ได้ กรุณาลองอีกครั้ง"
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    />
  )
}
