import { formatCode } from '@shop/shared/chat/words.ts'
import { formatClock } from '@shop/web/dates.ts'
import { Alert } from 'antd'
import { CopyButton } from '../ui/copy-button.tsx'

/** Shows a code that somebody types into a chat, where to type it, and until when. */
export function CodeNote({ code, expiresAt, where }: { code: string; expiresAt: string; where: string }) {
  return (
    <Alert
      type="info"
      role="status"
      title={
        <div className="row">
          <code className="chat-code grow">{formatCode(code)}</code>
          <CopyButton text={formatCode(code)} what="รหัส" />
        </div>
      }
      description={`${where} ภายใน ${formatClock(expiresAt)} ใช้ได้ครั้งเดียว`}
    />
  )
}
