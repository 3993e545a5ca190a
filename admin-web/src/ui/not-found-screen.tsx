import { Button } from 'antd'
import { SearchX } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { MessagePage } from './message-page.tsx'

export function NotFoundScreen() {
  const navigate = useNavigate()
  return (
    <MessagePage icon={SearchX} text="ไม่พบหน้าที่คุณต้องการ">
      <Button type="primary" onClick={() => navigate('/')}>
        กลับหน้าแรก
      </Button>
    </MessagePage>
  )
}
