import { messageOf } from '@shop/shared/errors.ts'
import { getReceipt } from '@shop/shared/order/finding-endpoints.ts'
import { isAbort, saveFile } from '@shop/web/files.ts'
import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { api } from '../api.ts'
import { inLiff } from '../shop.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'

/** LINE's browser keeps no downloads, so inside LINE the file goes to the device's share sheet, which can save it. */
async function keepFile(file: Blob, name: string): Promise<void> {
  const files = [new File([file], name, { type: 'application/pdf' })]
  if (inLiff && navigator.canShare?.({ files })) await navigator.share({ files })
  else saveFile(file, name)
}

/** Saves a summary of the order as a PDF. */
export function ReceiptButton({ orderNo }: { orderNo: string }) {
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => keepFile(await api.call(getReceipt, { params: { orderNo } }), `${orderNo}.pdf`),
    onError: error => {
      if (!isAbort(error)) toast({ kind: 'error', text: `สร้าง PDF ไม่สำเร็จ ${messageOf(error)}` })
    },
  })
  return (
    <Button kind="quiet" size="small" busy={isPending} icon={<FileDown size={18} />} onClick={() => mutate()}>
      ใบสรุป PDF
    </Button>
  )
}
