import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import { getSlip } from '@shop/shared/upload/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Image, Skeleton } from 'antd'
import { ReceiptText } from 'lucide-react'
import { useClient } from '../account/session-context.tsx'
import { useObjectUrl } from '../ui/use-object-url.ts'

/** The slip as a thumbnail that opens large, with zoom and rotation. */
export function SlipViewer({ slipId, payment }: { slipId: string | null; payment: PaymentCode }) {
  if (slipId) return <Slip slipId={slipId} />
  return (
    <div className="empty note" style={{ padding: '24px 0' }}>
      <ReceiptText size={24} aria-hidden />
      {payment === 'wallet' ? 'จ่ายด้วย Wallet' : 'ไม่มีสลิป'}
    </div>
  )
}

function Slip({ slipId }: { slipId: string }) {
  const client = useClient()
  const slip = useQuery({ ...client.query(getSlip, { params: { id: slipId } }), staleTime: Number.POSITIVE_INFINITY })
  const url = useObjectUrl(slip.data as Blob | undefined)
  if (slip.isError) {
    return (
      <div className="empty note" role="alert" style={{ padding: '24px 0' }}>
        เปิดสลิปไม่ได้
        <Button size="small" onClick={() => slip.refetch()}>
          ลองอีกครั้ง
        </Button>
      </div>
    )
  }
  if (!url) return <Skeleton.Node active style={{ width: 168, height: 240 }} />
  return <Image src={url} alt="สลิปโอนเงิน กดเพื่อดูขนาดใหญ่" width={168} />
}
