import { CHAT_ROOMS, type ChatRoom } from '@shop/shared/chat/chat.ts'
import { type ChatState, getChat, unbindChatRoom } from '@shop/shared/chat/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button } from 'antd'
import { useClient, useMe } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { ChatCard } from './chat-card.tsx'
import { CodeNote } from './code-note.tsx'
import { useCode } from './use-code.ts'

const ROOM: Record<ChatRoom, { name: string; hears: string; without: string }> = {
  staff: { name: 'กลุ่มทีมงาน', hears: 'คำสั่งซื้อที่รอเติม พร้อมปุ่มรับเรื่อง', without: 'ยังไม่ได้ผูก ทีมงานจะไม่ได้รับแจ้งใน LINE' },
  managers: {
    name: 'กลุ่มผู้จัดการ',
    hears: 'คำขอเติมกระเป๋าเงิน คำสั่งซื้อที่ไม่มีคนรับ และเรื่องที่ต้องแก้',
    without: 'ยังไม่ได้ผูก แจ้งผู้จัดการที่เชื่อม LINE ไว้ทีละคนแทน',
  },
}

/** Shows the LINE groups that the shop's messages to staff go to. */
export function RoomsCard({ chat }: { chat: ChatState }) {
  return (
    <ChatCard title="กลุ่ม LINE">
      {CHAT_ROOMS.map(room => (
        <Room key={room} room={room} bound={chat.rooms.find(each => each.room === room)} isOn={chat.isOn} />
      ))}
    </ChatCard>
  )
}

function Room({ room, bound, isOn }: { room: ChatRoom; bound?: ChatState['rooms'][number]; isOn: boolean }) {
  const code = useCode(room)
  const mayBind = can(useMe().role, 'settings.manage')
  const { name, hears, without } = ROOM[room]
  // A code that was used is hidden: the group was bound after it was made.
  const isWaiting = code.data && (!bound || bound.boundAt < new Date(code.submittedAt).toISOString())
  return (
    <div className="card-part chat-part">
      <div className="row">
        <div className="grow">
          <h3 className="strong">{name}</h3>
          <p className="note muted">{hears}</p>
        </div>
        {mayBind && (
          <Button
            aria-label={`${bound ? 'เปลี่ยนกลุ่ม' : 'ผูกกลุ่ม'} ${name}`}
            disabled={!isOn}
            loading={code.isPending}
            onClick={() => code.mutate()}
          >
            {bound ? 'เปลี่ยนกลุ่ม' : 'ผูกกลุ่ม'}
          </Button>
        )}
        {mayBind && bound && <UnbindButton room={room} name={name} groupName={bound.groupName} />}
      </div>
      {bound?.lostAt ? (
        <Alert
          type="error"
          showIcon
          title={`ร้านถูกนำออกจาก ${bound.groupName} เมื่อ ${formatDateTimeSeconds(bound.lostAt)}`}
          description="กลุ่มนี้ไม่ได้รับแจ้งอะไรอีก เชิญร้านเข้ากลุ่มแล้วผูกใหม่ คำสั่งซื้อที่รอเติมจะแจ้งให้ครบ"
        />
      ) : bound ? (
        <p className="breakable">
          <b className="strong">{bound.groupName}</b> · {bound.memberCount} คน
          <span className="note muted">
            {' '}
            ผูกเมื่อ {formatDateTimeSeconds(bound.boundAt)}
            {bound.boundByName && ` โดย ${bound.boundByName}`}
          </span>
        </p>
      ) : (
        <p className="muted">{without}</p>
      )}
      <FailureNote title={code.error && 'สร้างรหัสไม่สำเร็จ'} text={messageOf(code.error)} />
      {isWaiting && <CodeNote {...code.data} where={`เชิญบัญชี LINE ของร้านเข้ากลุ่ม แล้วพิมพ์รหัสนี้ใน${name}`} />}
    </div>
  )
}

function UnbindButton({ room, name, groupName }: { room: ChatRoom; name: string; groupName: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const unbind = async () => {
    try {
      const chat = await client.call(unbindChatRoom, { params: { room } })
      queries.setQueryData(client.query(getChat).queryKey, chat)
      message.success(`เลิกผูก${name}แล้ว`)
    } catch (error) {
      message.error({ content: `เลิกผูกไม่สำเร็จ ${messageOf(error)}`, duration: 6 })
    }
  }
  const ask = () =>
    modal.confirm({
      title: `เลิกผูก${name}?`,
      content: `${groupName} จะไม่ได้รับแจ้งจากร้านอีก ผูกใหม่ได้ด้วยรหัสใหม่`,
      okText: 'เลิกผูก',
      okButtonProps: { danger: true },
      cancelText: 'ปิด',
      focusable: { autoFocusButton: 'cancel' },
      onOk: unbind,
    })
  return (
    <Button danger type="text" aria-label={`เลิกผูก ${name}`} onClick={ask}>
      เลิกผูก
    </Button>
  )
}
