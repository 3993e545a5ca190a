import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { lazySheet } from '../ui/lazy-part.tsx'
import type { QrTransfer } from './pay-picture.ts'

const PayPictureSheet = lazySheet(() => import('./pay-picture-sheet.tsx'))

/** Opens the QR as a picture that can be kept. @param transfer null while there is no QR yet */
export function SavePicture({ transfer }: { transfer: QrTransfer | null }) {
  // null until the sheet was opened for the first time, which is when its code is loaded.
  const [isOpen, setOpen] = useState<boolean | null>(null)
  return (
    <>
      <Button
        kind="secondary"
        size="inline"
        aria-haspopup="dialog"
        icon={<Download size={18} />}
        className="w-full @md:w-auto"
        disabled={!transfer}
        onClick={() => setOpen(true)}
      >
        บันทึกรูป
      </Button>
      {transfer && isOpen !== null && (
        <PayPictureSheet transfer={transfer} open={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
