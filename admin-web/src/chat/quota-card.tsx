import type { ChatState } from '@shop/shared/chat/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Alert, Progress } from 'antd'
import { ChatCard } from './chat-card.tsx'

const grouped = (count: number) => count.toLocaleString('en-US')

/** Shows how many of the month's messages are used. */
export function QuotaCard({ quota: { limit, used, at, isLow, fullAt } }: { quota: ChatState['quota'] }) {
  const isFull = fullAt !== null || (limit !== null && used >= limit)
  return (
    <ChatCard title="โควตาข้อความเดือนนี้">
      <div className="card-part chat-part">
        <p>
          <b className="strong number">{grouped(used)}</b>
          <span className="muted">{limit === null ? ' ข้อความ ไม่จำกัด' : ` จาก ${grouped(limit)} ข้อความ`}</span>
        </p>
        {limit !== null && (
          <Progress
            aria-label="ใช้ไปแล้ว"
            percent={Math.min(100, Math.floor((used / Math.max(1, limit)) * 100))}
            status={isFull ? 'exception' : 'normal'}
          />
        )}
        {isFull ? (
          <Alert type="error" showIcon title="โควตาเต็มแล้ว ข้อความใหม่จะไม่ถูกส่งจนกว่าจะมีโควตา คำสั่งซื้อทำต่อได้ตามปกติ" />
        ) : (
          isLow && <Alert type="warning" showIcon title="ใกล้เต็ม ระบบรวมข้อความถึงทีมงานเป็นสรุปทุก 30 นาที" />
        )}
        <p className="note muted">
          กลุ่มนับตามจำนวนสมาชิก การตอบกลับไม่นับ
          {at && <> · ทราบจาก LINE เมื่อ {formatDateTimeSeconds(at)}</>}
        </p>
      </div>
    </ChatCard>
  )
}
