import { messageOf } from '@shop/shared/errors.ts'
import { getMail, resendMails, type UnsentMail } from '@shop/shared/mail/endpoints.ts'
import { labelOfMail } from '@shop/shared/mail/mail.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { ChatCard } from './chat-card.tsx'

function UnsentRow({ mail, onResend, isSending }: { mail: UnsentMail; onResend: () => void; isSending: boolean }) {
  const { kind, uid, name, recipient, state, attempts, reason, createdAt } = mail
  return (
    <li className="row">
      <div className="grow">
        <div className="strong">{labelOfMail(kind)}</div>
        <div className="note muted breakable">
          <Link to={`/user/${encodeURIComponent(uid)}`}>{name}</Link> · {recipient} · {formatDateTimeSeconds(createdAt)}
        </div>
        <div className="note chat-reason breakable">
          {state === 'waiting' && `ลองแล้ว ${attempts} ครั้ง ระบบจะลองอีก `}
          {reason}
        </div>
      </div>
      {state === 'dead' && (
        <Button aria-label={`ส่งอีเมลถึง ${name} อีกครั้ง`} loading={isSending} onClick={onResend}>
          ส่งอีกครั้ง
        </Button>
      )}
    </li>
  )
}

/** Shows whether the shop sends e-mail to the owners of accounts, and lists what could not be sent. */
export function MailCard() {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const mail = useQuery(client.query(getMail))
  const resend = useMutation({
    mutationFn: (id: string) => client.call(resendMails, { body: { ids: [id] } }),
    onSuccess: ({ resent }) => message.info(resent > 0 ? 'กำลังส่งอีกครั้ง' : 'มีคนสั่งส่งอีเมลนี้ไปแล้ว'),
    onError: error => message.error({ content: `ส่งอีกครั้งไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
    onSettled: () => queries.invalidateQueries({ queryKey: [getMail.path] }),
  })
  return (
    <ChatCard title="อีเมลถึงเจ้าของบัญชีและผู้จัดการ">
      <div className="card-part chat-part">
        {mail.isError && !mail.data && <LoadError error={mail.error} onRetry={() => mail.refetch()} />}
        {mail.data && !mail.data.isOn && (
          <p>
            ยังไม่ได้ตั้งค่าอีเมล เจ้าของบัญชีที่ไม่มี LINE จะไม่ได้รับแจ้งเมื่อบัญชีเปลี่ยน และถ้า LINE ไม่ถึงใคร ผู้จัดการก็ไม่ได้รับแจ้ง
            ผู้ดูแลเซิร์ฟเวอร์ตั้งค่า SMTP_URL และ MAIL_FROM ก่อน
          </p>
        )}
        {mail.data?.isOn && mail.data.unsent.length === 0 && <p>ไม่มีอีเมลที่ส่งไม่สำเร็จ</p>}
        <ul className="chat-mails">
          {mail.data?.unsent.map(each => (
            <UnsentRow
              key={each.id}
              mail={each}
              onResend={() => resend.mutate(each.id)}
              isSending={resend.isPending && resend.variables === each.id}
            />
          ))}
        </ul>
      </div>
    </ChatCard>
  )
}
