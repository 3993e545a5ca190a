import { SearchX } from 'lucide-react'
import { MessagePage } from './message-page.tsx'

/** The page for every path that the shop does not have. */
export default function NotFoundScreen() {
  return (
    <MessagePage icon={SearchX} title="ไม่พบหน้านี้">
      <p>หน้าที่คุณต้องการไม่มีแล้ว หรือลิงก์ไม่ครบ</p>
    </MessagePage>
  )
}
