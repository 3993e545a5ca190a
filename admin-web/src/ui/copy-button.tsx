import { Button } from 'antd'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

const SHOWN_MS = 2000

/** Copies `text` to the clipboard and says so for two seconds. `shortcut` is the key that does the same, e.g. "C". */
export function CopyButton(props: { text: string; what: string; shortcut?: string; label?: string }) {
  const { text, what, shortcut, label = 'คัดลอก' } = props
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const shown = isCopied ? 'คัดลอกแล้ว' : label
  return (
    <Button
      color="primary"
      variant="filled"
      icon={isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      aria-label={`${shown} ${what}`}
      aria-keyshortcuts={shortcut}
      onClick={() => navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
    >
      {shown}
    </Button>
  )
}
