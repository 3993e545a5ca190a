import { AppError } from '@shop/shared/errors.ts'
import { cancelTopUp, type WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { useRefreshWallet } from './use-wallet.ts'

interface CancelTopUpDialogProps {
  /** The top-up; null while nothing is asked. */
  row: Pick<WalletTransaction, 'id' | 'no' | 'status'> | null
  onClose: () => void
}

/** Asks before a waiting top-up is cancelled. A failure is told in the dialog, which stays open. */
export function CancelTopUpDialog({ row, onClose }: CancelTopUpDialogProps) {
  const [shown, setShown] = useState(row)
  if (row && row !== shown) setShown(row)
  const toast = useToast()
  const refresh = useRefreshWallet()
  const cancel = useMutation({
    mutationFn: (id: string) => api.call(cancelTopUp, { body: { id, status: 'cancel' } }),
    onSuccess: async ({ no }) => {
      await refresh()
      toast({ text: `ยกเลิกรายการ ${no} สำเร็จ` })
      close()
    },
    onError: error => {
      // Staff have decided the top-up meanwhile, so the list behind the dialog is out of date.
      if (error instanceof AppError && error.code === 'TOP_UP_NOT_WAITING') void refresh()
    },
  })
  const close = () => {
    cancel.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={row !== null}
      title="ยกเลิกรายการ"
      text={
        <>
          <p>{`คุณต้องการยกเลิกรายการ ${shown?.no} หรือไม่?`}</p>
          {shown?.status === 'waiting_payment' && <p>หากจ่ายเงินแล้ว ไม่ต้องยกเลิก ยอดจะเข้ากระเป๋าเงินเอง</p>}
        </>
      }
      confirmLabel="ยกเลิก"
      busy={cancel.isPending}
      error={cancel.error}
      failure="ยกเลิกไม่สำเร็จ กรุณาลองอีกครั้ง"
      onConfirm={() => shown && cancel.mutate(shown.id)}
      onClose={close}
    />
  )
}
