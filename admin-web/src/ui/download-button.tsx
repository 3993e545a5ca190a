import { messageOf } from '@shop/shared/errors.ts'
import { exportNameOf } from '@shop/web/files.ts'
import { App, Button } from 'antd'
import { Download, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { download } from './download.ts'

const isGivenUp = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Downloads a list as CSV; it shows how many rows have come and can be cancelled. */
export function DownloadButton({ open }: { open: (signal: AbortSignal) => Promise<Response> }) {
  const { message } = App.useApp()
  const [rows, setRows] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const control = new AbortController()
    running.current = control
    setRows(0)
    try {
      // The first line holds the names of the columns.
      const onLines = (lines: number) => setRows(Math.max(0, lines - 1))
      await download(exportNameOf(new Date()), open, { signal: control.signal, onLines })
      message.success('ดาวน์โหลดครบแล้ว')
    } catch (error) {
      if (!isGivenUp(error)) message.error({ content: `ดาวน์โหลดไม่สำเร็จ ไม่มีไฟล์ถูกบันทึก ${reasonOf(error)}`, duration: 6 })
    } finally {
      setRows(null)
    }
  }

  if (rows === null)
    return (
      <Button icon={<Download size={16} aria-hidden />} onClick={start}>
        ดาวน์โหลด CSV
      </Button>
    )
  return (
    <span className="row">
      <span className="small muted number">ได้แล้ว {rows.toLocaleString('en-US')} แถว</span>
      <Button icon={<X size={16} aria-hidden />} onClick={() => running.current?.abort()}>
        ยกเลิก
      </Button>
    </span>
  )
}

/** A connection that breaks off halfway throws a TypeError, not an answer of the server. */
const reasonOf = (error: unknown): string =>
  error instanceof TypeError ? 'การเชื่อมต่อขาดกลางทาง กรุณาลองอีกครั้ง' : messageOf(error)
