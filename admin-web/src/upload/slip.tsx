import { getSlip } from '@shop/shared/upload/endpoints.ts'
import { useObjectUrl } from '@shop/web/files.ts'
import { useQuery } from '@tanstack/react-query'
import { Image, type ImageProps, Skeleton } from 'antd'
import { ReceiptText, X } from 'lucide-react'
import { type ComponentProps, cloneElement, type ReactElement } from 'react'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import './slip.css'

const TOOLS = [
  ['zoomOutIcon', 'ย่อ'],
  ['zoomInIcon', 'ขยาย'],
  ['rotateLeftIcon', 'หมุนซ้าย'],
  ['rotateRightIcon', 'หมุนขวา'],
] as const

/** antd's viewer, with Thai names for its tools. */
const viewer: ImageProps['preview'] = {
  closeIcon: (
    <>
      <X size={20} aria-hidden />
      <span className="sr-only">ปิดภาพ</span>
    </>
  ),
  actionsRender: (bar, { icons }) =>
    cloneElement(
      bar,
      undefined,
      TOOLS.map(([icon, name]) =>
        cloneElement(icons[icon] as ReactElement<ComponentProps<'button'>>, { 'aria-label': name, title: name }),
      ),
    ),
}

/** A slip, which opens in full size; `without` stands in its place when there is none. */
export function Slip({ slipId, without = 'ไม่มีสลิป' }: { slipId: string | null; without?: string }) {
  return (
    <div className="slip">
      {slipId ? (
        <Picture slipId={slipId} />
      ) : (
        <div className="empty note">
          <ReceiptText size={24} aria-hidden />
          {without}
        </div>
      )}
    </div>
  )
}

function Picture({ slipId }: { slipId: string }) {
  const client = useClient()
  const slip = useQuery({ ...client.query(getSlip, { params: { id: slipId } }), staleTime: Number.POSITIVE_INFINITY })
  const url = useObjectUrl(slip.data as Blob | undefined)
  if (slip.isError) return <LoadError error={slip.error} text="เปิดสลิปไม่ได้" onRetry={() => slip.refetch()} />
  if (!url) return <Skeleton.Node active className="slip-loading" />
  return <Image src={url} alt="สลิปโอนเงิน" aria-label="สลิปโอนเงิน กดเพื่อดูขนาดใหญ่" preview={viewer} />
}
