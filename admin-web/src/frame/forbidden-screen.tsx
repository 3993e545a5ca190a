import { errorMessage } from '@shop/shared/errors.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { Button } from 'antd'
import { ShieldX } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { useMe, useSession } from '../account/session.tsx'
import { MessagePage } from '../ui/message-page.tsx'

/** Staff go back to their own first page; customers and agents belong in the storefront. */
export function ForbiddenScreen() {
  const me = useMe()
  const session = useSession()
  const navigate = useNavigate()
  const belongsHere = isAdminSide(me.role)
  return (
    <MessagePage icon={ShieldX} text={errorMessage('FORBIDDEN')}>
      {belongsHere ? (
        <Button type="primary" onClick={() => navigate('/')}>
          กลับหน้าแรก
        </Button>
      ) : (
        <>
          <Button type="primary" href={`${import.meta.env.VITE_STOREFRONT_URL}/game`}>
            กลับหน้าแรก
          </Button>
          <Button onClick={() => session.signOut()}>ออกจากระบบ</Button>
        </>
      )}
    </MessagePage>
  )
}
