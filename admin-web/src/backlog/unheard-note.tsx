import { AUDIENCE, type Audience } from '@shop/shared/permissions.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { Alert } from 'antd'
import { StaffLink } from '../account/staff-link.tsx'

/** Says that what the shop must tell reaches nobody, and what to do about it. */
export function UnheardNote({ unheard }: { unheard: readonly Audience[] }) {
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      style={{ marginBottom: 16 }}
      title={`ร้านแจ้ง${unheard.map(each => AUDIENCE[each]).join('และ')}ไม่ได้สักคน`}
      description={
        <>
          เมื่อมีคนย้ายเงินของร้านหรือเปลี่ยนการตั้งค่าที่คุ้มครองเงิน จะไม่มีใครรู้ ระหว่างนี้ยอดที่เกินวงเงินที่ทำคนเดียวได้จึงทำไม่ได้ ผูกกลุ่ม LINE
          ของผู้จัดการหรือเชื่อม LINE ของคุณ หรือให้ผู้ดูแลเซิร์ฟเวอร์ตั้งค่าอีเมล ·{' '}
          <StaffLink page="chat" to={STAFF_PAGE.chat.path}>
            {STAFF_PAGE.chat.title}
          </StaffLink>
        </>
      }
    />
  )
}
