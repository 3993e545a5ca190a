import { Lock } from 'lucide-react'
import { MessagePage } from '../ui/message-page.tsx'

/** Stands in place of a page that the person's role may not open. */
export default function ForbiddenScreen() {
  return (
    <MessagePage icon={Lock} title="เข้าหน้านี้ไม่ได้">
      <p>ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้</p>
    </MessagePage>
  )
}
