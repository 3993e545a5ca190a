import { messageOf } from '@shop/shared/errors.ts'
import { getReceipt } from '@shop/shared/order/finding-endpoints.ts'
import { saveFile } from '@shop/web/files.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { FileDown } from 'lucide-react'
import { useClient } from '../account/session.tsx'

/** Saves an order as a PDF. */
export function ReceiptButton({ orderNo }: { orderNo: string }) {
  const client = useClient()
  const { message } = App.useApp()
  const { mutate, isPending } = useMutation({
    mutationFn: (): Promise<Blob> => client.call(getReceipt, { params: { orderNo } }),
    onSuccess: file => saveFile(file, `${orderNo}.pdf`),
    onError: error => message.error({ content: `สร้าง PDF ไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
  })
  return (
    <Button icon={<FileDown size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
      ส่งออก PDF
    </Button>
  )
}
