import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clearPurchase } from '../current-order.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { useGoOn } from '../ui/use-go-on.ts'
import { cancelOrder } from './cancel-order.ts'

/** Asks before an unpaid order is cancelled, cancels it, and leads back to the games. */
export function CancelDialog({ orderNo, open, onClose }: { orderNo: string; open: boolean; onClose: () => void }) {
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
          <p>หากโอนเงินแล้ว อย่ายกเลิก ให้กด “โอนแล้ว แจ้งชำระเงิน”</p>
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
