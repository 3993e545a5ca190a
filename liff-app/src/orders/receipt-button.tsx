import { messageOf } from '@shop/shared/errors.ts'
import { getReceipt } from '@shop/shared/order/finding-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { api } from '../api.ts'
import { useKeepFile } from '../keep-file.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'

/** Saves a summary of the order as a PDF. */
export function ReceiptButton({ orderNo }: { orderNo: string }) {
  const toast = useToast()
  const keepFile = useKeepFile()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => keepFile(await api.call(getReceipt, { params: { orderNo } }), `${orderNo}.pdf`),
    onError: error => toast({ kind: 'error', text: `สร้าง PDF ไม่สำเร็จ ${messageOf(error)}` }),
  })
  return (
    <Button kind="quiet" size="small" busy={isPending} icon={<FileDown size={18} />} onClick={() => mutate()}>
      ใบสรุป PDF
    </Button>
  )
}
