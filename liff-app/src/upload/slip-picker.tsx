import { useObjectUrl } from '@shop/web/files.ts'
import { CircleAlert, ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/icon-button.tsx'

interface SlipPickerProps {
  label: string
  help: string
  file: File | null
  onChange: (file: File | null) => void
  error?: string
}

/** Lets the buyer pick one picture, see it and remove it again. Other files are refused with a text. */
export function SlipPicker({ label, help, file, onChange, error }: SlipPickerProps) {
  const inputId = useId()
  const preview = useObjectUrl(file)
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
          'relative flex min-h-14 items-center gap-3 rounded-control border border-dashed px-3.5 py-2.5 hover:bg-canvas has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
          problem ? 'border-bad' : 'border-control',
        )}
      >
        {preview ? (
          <img src={preview} alt="ตัวอย่างสลิป" className="size-14 flex-none rounded-small bg-fill object-cover" />
        ) : (
          <ImagePlus size={22} className="flex-none text-ink-2" />
        )}
        <label htmlFor={inputId} className="min-w-0 flex-1 before:absolute before:inset-0">
          <span className="block font-semibold leading-normal">{label}</span>
          <span className="block text-ink-2 text-note">{file ? `${file.name} · แตะเพื่อเปลี่ยนรูป` : help}</span>
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
