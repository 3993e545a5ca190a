import { getChat } from '@shop/shared/chat/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton } from 'antd'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { MailCard } from './mail-card.tsx'
import { MessageList } from './message-list.tsx'
import { MyLineCard } from './my-line-card.tsx'
import { QuotaCard } from './quota-card.tsx'
import { RoomsCard } from './rooms-card.tsx'
import './chat.css'

const POLL_MS = 10_000

/** Shows the shop's LINE groups, linked staff, quota and messages. */
export function ChatScreen() {
  const client = useClient()
  const chat = useQuery({ ...client.query(getChat), refetchInterval: POLL_MS })
  return (
    <>
      <PageHead title="การแจ้งเตือน LINE" about="ข้อความที่ร้านส่งถึงทีมงานและลูกค้า ถึงแล้วหรือไม่" />
      {chat.isError && !chat.data ? (
        <LoadError error={chat.error} onRetry={() => chat.refetch()} />
      ) : chat.data ? (
        <>
          {!chat.data.isOn && (
            <Alert
              className="form-alert"
              type="warning"
              showIcon
              title="ยังไม่ได้เชื่อมต่อ LINE ผู้ดูแลเซิร์ฟเวอร์ตั้งค่า LINE_CHANNEL_ACCESS_TOKEN และ LINE_CHANNEL_SECRET ก่อน"
            />
          )}
          {chat.data.lastError && (
            <Alert
              className="form-alert"
              type="error"
              showIcon
              title={chat.data.lastError}
              description={chat.data.lastErrorAt && `เมื่อ ${formatDateTimeSeconds(chat.data.lastErrorAt)}`}
            />
          )}
          <div className="chat-cards">
            <RoomsCard chat={chat.data} />
            <MyLineCard chat={chat.data} />
            <div className="chat-stack">
              <QuotaCard quota={chat.data.quota} />
              <MailCard />
            </div>
          </div>
        </>
      ) : (
        <Skeleton active className="card card-part" />
      )}
      <MessageList />
    </>
  )
}
