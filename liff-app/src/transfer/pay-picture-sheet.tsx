import { formatBaht } from '@shop/shared/money.ts'
import { isAbort, saveFile, useObjectUrl } from '@shop/web/files.ts'
import { useQuery } from '@tanstack/react-query'
import { Download, Share2 } from 'lucide-react'
import { inApp } from '../in-app.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Failure, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { drawPayPicture, type QrTransfer } from './pay-picture.ts'

interface PictureProps {
  transfer: QrTransfer
}

/** Shows the QR as a picture that can be shared or saved; inside LINE it is saved by holding a finger on it. */
export default function PayPictureSheet({
  open,
  onClose,
  ...shown
}: PictureProps & { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title="รูป QR สำหรับโอน">
      <Picture {...shown} />
    </Sheet>
  )
}

function Picture({ transfer }: PictureProps) {
  const { qr, amountSatang, subject, fileName } = transfer
  const picture = useQuery({
    queryKey: ['pay-picture', subject, qr],
    queryFn: () => drawPayPicture(transfer),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  })
  const url = useObjectUrl(picture.data)
  if (picture.isError)
    return (
      <Failure
        text="สร้างรูปไม่สำเร็จ แตะค้างที่ QR เพื่อบันทึกแทนได้"
        busy={picture.isFetching}
        onRetry={() => void picture.refetch()}
      />
    )
  if (!picture.data || !url) return <Skeleton className="mx-auto aspect-[1080/1720] max-h-[60dvh]" />
  const file = new File([picture.data], `${fileName}.png`, { type: 'image/png' })
  return (
    <>
      <img
        src={url}
        alt={`QR พร้อมเพย์ ยอด ${formatBaht(amountSatang)} บาท ของ${subject}`}
        className="mx-auto max-h-[60dvh] rounded-card border border-line"
      />
      {inApp && <p className="mt-3 text-center font-semibold">แตะค้างที่รูป แล้วเลือกบันทึกรูปภาพ</p>}
      <Ways file={file} />
    </>
  )
}

/** Saving as a file is left out in the browsers of apps, which keep no downloads. */
function Ways({ file }: { file: File }) {
  const toast = useToast()
  const canShare = navigator.canShare?.({ files: [file] }) ?? false
  const share = () =>
    navigator.share({ files: [file] }).catch((error: unknown) => {
      if (!isAbort(error)) toast({ kind: 'error', text: 'แชร์รูปไม่สำเร็จ กรุณาบันทึกรูปแทน' })
    })
  return (
    <div className="mt-4 flex flex-wrap gap-2 [&>*]:flex-1">
      {canShare && (
        <Button kind={inApp ? 'primary' : 'secondary'} icon={<Share2 size={18} />} onClick={() => void share()}>
          แชร์รูป
        </Button>
      )}
      {!inApp && (
        <Button
          icon={<Download size={18} />}
          onClick={() => {
            saveFile(file, file.name)
            toast({ text: 'บันทึกรูปแล้ว' })
          }}
        >
          บันทึกรูป
        </Button>
      )}
    </div>
  )
}
