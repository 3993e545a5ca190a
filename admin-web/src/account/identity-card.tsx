import { showPhone } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { BadgeCheck } from 'lucide-react'
import { Avatar } from '../ui/avatar.tsx'
import { useSession } from './session.tsx'
import { StatusChip } from './status-chip.tsx'

/** Who an account is; the owner of an unverified email can ask for the verification link here. */
export function IdentityCard({ user, isOwn }: { user: Me; isOwn: boolean }) {
  return (
    <div className="card-part">
      <div className="row" style={{ alignItems: 'flex-start' }}>
        <Avatar name={user.displayName} />
        <div className="grow">
          <b className="strong">{user.displayName}</b>
          <div className="row small" style={{ gap: 4, flexWrap: 'wrap' }}>
            <span style={{ overflowWrap: 'anywhere' }}>{user.email ?? 'ไม่มีอีเมล'}</span>
            {user.email && user.emailVerified && (
              <BadgeCheck size={16} role="img" aria-label="ยืนยันอีเมลแล้ว" color="var(--ok)" />
            )}
            {user.email && !user.emailVerified && (isOwn ? <VerifyButton email={user.email} /> : ' (ยังไม่ยืนยัน)')}
          </div>
          {!isOwn && user.tel && <div className="small number">{showPhone(user.tel)}</div>}
        </div>
      </div>
      <div className="row" style={{ marginTop: 10 }}>
        <span className="tag">{user.roleName}</span>
        <StatusChip isActived={user.isActived} />
      </div>
    </div>
  )
}

function VerifyButton({ email }: { email: string }) {
  const session = useSession()
  const { message } = App.useApp()
  const send = useMutation({
    mutationFn: session.sendVerificationEmail,
    onSuccess: () => message.success({ content: `ส่งอีเมลยืนยันไปที่ ${email} แล้ว กรุณาตรวจสอบกล่องจดหมาย`, duration: 10 }),
    onError: () => message.error({ content: 'ส่งอีเมลไม่สำเร็จ! กรุณาลองอีกครั้ง', duration: 6 }),
  })
  return (
    <Button size="small" loading={send.isPending} onClick={() => send.mutate()}>
      ยืนยัน
    </Button>
  )
}
