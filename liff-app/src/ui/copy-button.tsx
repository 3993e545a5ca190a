import { Check, Copy, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { copyText } from './copy-text.ts'
import { useToast } from './toast.tsx'

const COPIED_MS = 2000

interface CopyProps {
  /** The text that is copied. */
  text: string
  /** The name for screen readers. It begins with the visible word and a space: "คัดลอก เลขบัญชี". */
  label: string
  kind?: 'tint' | 'quiet'
  showIcon?: boolean
  /** A text that no message may repeat. */
  isSecret?: boolean
  children?: ReactNode
}

/** A button that copies a text and says so for two seconds without changing its width. */
export function CopyButton({ text, label, kind = 'tint', showIcon = true, isSecret, children = 'คัดลอก' }: CopyProps) {
  const [copiedAt, setCopiedAt] = useState(0)
  const toast = useToast()
  useEffect(() => {
    if (!copiedAt) return
    const timer = setTimeout(() => setCopiedAt(0), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = async () => {
    try {
      await copyText(text)
      setCopiedAt(Date.now())
    } catch {
      toast({ kind: 'error', text: `คัดลอกไม่สำเร็จ กรุณา${isSecret ? 'กดค้างที่ข้อความเพื่อคัดลอก' : `คัดลอกเอง: ${text}`}` })
    }
  }
  const face = (Icon: LucideIcon, words: ReactNode, shown: boolean) => (
    <span className={classes('inline-flex items-center justify-center gap-2', !shown && 'invisible')}>
      {showIcon && <Icon size={18} />}
      <span className="trim-label">{words}</span>
    </span>
  )
  const copied = copiedAt > 0
  return (
    <>
      <Button
        kind={kind}
        size="small"
        aria-label={copied ? 'คัดลอกแล้ว' : label}
        className={classes('whitespace-nowrap', copied && '!bg-ok-tint !text-ok')}
        onClick={copy}
      >
        <span className="grid [&>*]:[grid-area:1/1]">
          {face(Copy, children, !copied)}
          {face(Check, 'คัดลอกแล้ว', copied)}
        </span>
      </Button>
      <span role="status" className="sr-only">
        {copied && 'คัดลอกแล้ว'}
      </span>
    </>
  )
}
