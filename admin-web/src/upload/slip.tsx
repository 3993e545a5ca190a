import { getSlip } from '@shop/shared/upload/endpoints.ts'
import { useObjectUrl } from '@shop/web/files.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Image, type ImageProps, Skeleton } from 'antd'
import { ReceiptText, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import {
  type ComponentProps,
  type CSSProperties,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react'
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

/**
 * A slip, or another picture that is kept like one, which opens in full size; `without` stands in its place when there is none. `hasTools`: it can be enlarged and
 * turned where it stands.
 */
export function Slip(props: { slipId: string | null; noun?: string; without?: string; hasTools?: boolean }) {
  const { slipId, noun = 'สลิปโอนเงิน', without = 'ไม่มีสลิป', hasTools = false } = props
  return (
    <div className="slip">
      {slipId ? (
        <Picture key={slipId} slipId={slipId} noun={noun} hasTools={hasTools} />
      ) : (
        <div className="empty note">
          <ReceiptText size={24} aria-hidden />
          {without}
        </div>
      )}
    </div>
  )
}

const ZOOMS = [1, 1.5, 2, 3]

function Picture({ slipId, noun, hasTools }: { slipId: string; noun: string; hasTools: boolean }) {
  const client = useClient()
  const slip = useQuery({ ...client.query(getSlip, { params: { id: slipId } }), staleTime: Number.POSITIVE_INFINITY })
  const url = useObjectUrl(slip.data)
  if (slip.isError) return <LoadError error={slip.error} text={`เปิด${noun}ไม่ได้`} onRetry={() => slip.refetch()} />
  if (!url) return <Skeleton.Node active className="slip-loading" />
  const image = <Image src={url} alt={noun} aria-label={`${noun} กดเพื่อดูขนาดใหญ่`} preview={viewer} />
  return hasTools ? <WithTools>{image}</WithTools> : image
}

/** Buttons above a picture that enlarge and turn it; an enlarged one is moved by scrolling. */
function WithTools({ children }: { children: ReactNode }) {
  const [zoom, setZoom] = useState(0)
  const [turns, setTurns] = useState(0)
  const tools = [
    { name: 'ย่อสลิป', icon: ZoomOut, isOff: zoom === 0, act: () => setZoom(zoom - 1) },
    { name: 'ขยายสลิป', icon: ZoomIn, isOff: zoom === ZOOMS.length - 1, act: () => setZoom(zoom + 1) },
    { name: 'หมุนสลิป', icon: RotateCw, isOff: false, act: () => setTurns(turns + 1) },
  ]
  return (
    <>
      <div className="slip-tools">
        {tools.map(({ name, icon: Icon, isOff, act }) => (
          <Button
            key={name}
            aria-label={name}
            title={name}
            icon={<Icon size={16} aria-hidden />}
            disabled={isOff}
            onClick={act}
          />
        ))}
      </div>
      <div className="slip-view" style={{ '--zoom': ZOOMS[zoom], rotate: `${turns * 90}deg` } as CSSProperties}>
        {children}
      </div>
    </>
  )
}
