import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatShort } from '@shop/web/dates.ts'
import { Alert } from 'antd'
import { StaffLink } from '../account/staff-link.tsx'
import { useBacklog } from '../backlog/use-backlog.ts'

/** Says on every page that the shop holds still after a restore, and what the staff do meanwhile. */
export function SafeModeNote() {
  const safeMode = useBacklog().data?.safeMode
  if (!safeMode) return null
  const since = safeMode.since && ` ตั้งแต่ ${formatShort(safeMode.since)}`
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      style={{ marginBottom: 16 }}
      title={`โหมดปลอดภัย${since ?? ''}: ร้านยังไม่สั่งเติม ไม่ส่งข้อความ และไม่ตรวจสลิป`}
      description={
        <>
          {safeMode.isRestored
            ? 'ฐานข้อมูลเพิ่งถูกกู้คืน ข้อมูลช่วงสุดท้ายอาจหายไป คำสั่งซื้อที่จ่ายแล้วยังอยู่และรอได้ อย่าเติมหรือคืนเงินด้วยมือจนกว่าผู้ดูแลเซิร์ฟเวอร์จะสั่งเริ่มงาน เพราะบางรายการอาจเติมไปแล้ว ระหว่างนี้ให้นำเข้ารายการธนาคารของช่วงที่หาย'
            : 'ผู้ดูแลเซิร์ฟเวอร์หยุดงานที่ออกนอกร้านไว้ คำสั่งซื้อที่จ่ายแล้วยังอยู่และรอได้'}
          {' ร้านไม่รับคำสั่งซื้อใหม่ระหว่างนี้ · '}
          <StaffLink page="lost" to={STAFF_PAGE.lost.path}>
            {STAFF_PAGE.lost.title}
          </StaffLink>
        </>
      }
    />
  )
}
