import { linkWarning } from '@shop/shared/chat/chat.ts'
import type { ChatState } from '@shop/shared/chat/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { mayUseLine } from '@shop/shared/permissions.ts'
import { App, Button } from 'antd'
import { useMe } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { ChatCard } from './chat-card.tsx'
import { CodeNote } from './code-note.tsx'
import { useCode } from './use-code.ts'

/** Shows whether the viewer's LINE account is linked, and how to link it. */
export function MyLineCard({ chat: { isLinked, linkedStaff, allStaff, isOn } }: { chat: ChatState }) {
  const code = useCode('person')
  const { modal } = App.useApp()
  const { role } = useMe()
  const warning = linkWarning(role)
  const ask = () =>
    modal.confirm({
      title: 'เชื่อม LINE ของฉัน?',
      content: warning,
      okText: 'สร้างรหัส',
      cancelText: 'ปิด',
      onOk: () => code.mutate(),
    })
  return (
    <ChatCard title="LINE ของฉัน">
      <div className="card-part chat-part">
        {isLinked ? (
          <p>เชื่อมแล้ว กดรับเรื่องและแจ้งว่าเติมแล้วจาก LINE ได้</p>
        ) : (
          <>
            <p>ยังไม่ได้เชื่อม ปุ่มในกลุ่ม LINE จะยังไม่รู้ว่าเป็นคุณ</p>
            <p className="note muted">{warning}</p>
            <div>
              <Button
                type="primary"
                disabled={!isOn}
                loading={code.isPending}
                onClick={() => (mayUseLine(role) ? code.mutate() : ask())}
              >
                เชื่อม LINE ของฉัน
              </Button>
            </div>
            <FailureNote title={code.error && 'สร้างรหัสไม่สำเร็จ'} text={messageOf(code.error)} />
            {code.data && <CodeNote {...code.data} where="ส่งรหัสนี้ให้บัญชี LINE ของร้านในแชทส่วนตัว" />}
          </>
        )}
        <p className="note muted">
          ทีมงานที่เชื่อมแล้ว {linkedStaff} จาก {allStaff} คน
        </p>
      </div>
    </ChatCard>
  )
}
