import { Button, Tooltip } from 'antd'
import { ScanQrCode } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'

/** Why a picture leads nowhere, in words for staff. */
const SAID = {
  closed: 'เปิดไฟล์นี้ไม่ได้ กรุณาใช้รูปสลิป (JPEG, PNG หรือ WebP)',
  none: 'อ่าน QR ในรูปนี้ไม่ได้ ลองรูปที่ชัดกว่าและเห็น QR ครบ หรือพิมพ์เลขอ้างอิงในสลิป',
  payment: 'QR ในรูปนี้เป็น QR สำหรับจ่ายเงิน ไม่ใช่ของสลิป กรุณาใช้รูปสลิปหลังโอน',
} as const

/** Reads the reference on a slip's picture; the reader is loaded with the first one. */
async function readReference(file: File): Promise<{ reference: string } | { problem: string }> {
  const [picture, { readPictureQr }] = await Promise.all([
    createImageBitmap(file).catch(() => null),
    import('@shop/web/slip-picture.ts'),
  ])
  if (!picture) return { problem: SAID.closed }
  const qr = readPictureQr(picture)
  picture.close()
  if (!qr) return { problem: SAID.none }
  return qr.kind === 'slip' ? { reference: qr.reference } : { problem: SAID.payment }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Takes a slip's picture by dropping, pasting or choosing it. @param onRead gets the reference that it shows */
export function useSlipPicture(onRead: (reference: string) => void) {
  const [state, setState] = useState<{ isOver: boolean; isReading: boolean; problem: string | null }>({
    isOver: false,
    isReading: false,
    problem: null,
  })
  const take = async (file: File | undefined) => {
    if (!file) return
    setState({ isOver: false, isReading: true, problem: null })
    const read = await readReference(file).catch(() => ({ problem: SAID.none }))
    setState({ isOver: false, isReading: false, problem: 'problem' in read ? read.problem : null })
    if ('reference' in read) onRead(read.reference)
  }
  const over = (isOver: boolean) => (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setState(now => (now.isOver === isOver ? now : { ...now, isOver }))
  }
  return {
    ...state,
    take,
    forget: () => setState(now => ({ ...now, problem: null })),
    /** For the element that pictures are dropped on. */
    area: {
      onDragEnter: over(true),
      onDragOver: over(true),
      onDragLeave: over(false),
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        void take(event.dataTransfer.files[0])
      },
      onPaste(event: ClipboardEvent) {
        const [file] = event.clipboardData.files
        if (!file) return
        event.preventDefault()
        void take(file)
      },
    },
  }
}

/** Chooses a slip's picture from this machine. */
export function SlipPictureButton({ isReading, onChoose }: { isReading: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Tooltip title="ค้นด้วยรูปสลิป: เลือกไฟล์ ลากมาวาง หรือวางรูปในช่องค้นหา">
        <Button
          type="text"
          aria-label="ค้นด้วยรูปสลิป"
          icon={<ScanQrCode size={18} aria-hidden />}
          loading={isReading}
          onClick={() => input.current?.click()}
        />
      </Tooltip>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="รูปสลิปที่จะค้น"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same picture may be chosen again.
          target.value = ''
          if (file) onChoose(file)
        }}
      />
    </>
  )
}
