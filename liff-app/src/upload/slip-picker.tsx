import { useObjectUrl } from '@shop/web/files.ts'
import { CircleAlert, CircleCheck, ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Sheet } from '../ui/sheet.tsx'

interface SlipPickerProps {
  label: string
  /** A line break in it is kept. */
  help: string
  file: File | null
  onChange: (file: File | null) => void
  /** How far the picked file is sent, or what came of it. */
  status?: string
  isSent?: boolean
  error?: string
}

/** Lets the buyer pick one picture, look at it and remove it again. Other files are refused with a text. */
export function SlipPicker({ label, help, file, onChange, status, isSent = false, error }: SlipPickerProps) {
  const inputId = useId()
  const [refused, setRefused] = useState('')
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.target.files?.[0]
    event.target.value = ''
    if (!picked) return
    const isImage = picked.type.startsWith('image/')
    setRefused(isImage ? '' : 'เลือกได้เฉพาะไฟล์รูปภาพ')
    if (isImage) onChange(picked)
  }
  const problem = error || refused
  return (
    <div>
      <div
        className={classes(
          'relative flex min-h-14 items-center gap-3 rounded-control border px-3.5 py-2.5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-[input:focus-visible]:outline-offset-2',
          isSent ? 'border-transparent bg-ok-tint' : 'border-dashed hover:bg-canvas',
          problem ? 'border-bad' : 'border-control',
        )}
      >
        <Preview key={file?.name} file={file} />
        <label htmlFor={inputId} className="min-w-0 flex-1 before:absolute before:inset-0">
          <span className="flex items-center gap-1.5 font-semibold leading-normal">
            {isSent && <CircleCheck size={18} className="flex-none text-ok" />}
            {isSent ? 'แนบสลิปแล้ว' : label}
          </span>
          <span className="wrap-anywhere block whitespace-pre-line text-ink-2 text-note">
            <span role="status" className="block">
              {status}
            </span>
            {file ? `${status ? '' : `${file.name} · `}แตะเพื่อเปลี่ยนรูป` : help}
          </span>
        </label>
        <input
          id={inputId}
          type="file"
          accept="image/*"
          onChange={pick}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${inputId}-error`}
          className="sr-only"
        />
        {file && <IconButton icon={Trash2} label="ลบรูปสลิป" className="relative -mr-2" onClick={() => onChange(null)} />}
      </div>
      <p
        id={`${inputId}-error`}
        aria-live="polite"
        className="mt-1 flex items-start gap-1.5 text-bad text-note empty:hidden"
      >
        {problem && <CircleAlert size={16} className="mt-0.5 flex-none" />}
        {problem}
      </p>
    </div>
  )
}

/** The whole slip, small; a tap shows it large. A file that is no picture after all is drawn as if there were none. */
function Preview({ file }: { file: File | null }) {
  const url = useObjectUrl(file)
  const [isBroken, setBroken] = useState(false)
  const [isOpen, setOpen] = useState(false)
  if (!url || isBroken) return <ImagePlus size={22} className="flex-none text-ink-2" />
  return (
    <>
      <button
        type="button"
        aria-label="ดูสลิปที่แนบ"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="relative flex-none"
      >
        <img
          src={url}
          alt="ตัวอย่างสลิป"
          onError={() => setBroken(true)}
          className="h-18 w-14 rounded-small border border-line bg-white object-contain"
        />
      </button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title="สลิปที่แนบ">
        <img src={url} alt="สลิปที่แนบ" className="mx-auto max-h-[75dvh] rounded-small" />
      </Sheet>
    </>
  )
}
