import { AppError, messageOf } from '@shop/shared/errors.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button } from 'antd'
import { BadgeCheck } from 'lucide-react'
import { useClient, useMe } from '../account/session.tsx'

/** Says why an order that only one person says is paid waits, and lets a second person confirm the payment. */
export function HoldCard({ order: { orderNo, hold } }: { order: StaffOrderView }) {
  const client = useClient()
  const { role } = useMe()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const confirm = useMutation({
    mutationFn: () => client.call(confirmMoney, { body: { orderNo } }),
    onSuccess: () => message.success(`ยืนยันแล้ว ส่ง ${orderNo} ให้ผู้จำหน่าย`),
    onError: error => message.error({ content: messageOf(error), duration: 6 }),
    onSettled: () => queries.invalidateQueries(),
  })
  if (!hold) return null
  const { heldByName, file, whyNot } = hold
  const who = heldByName ?? 'พนักงาน'
  return (
    <section className="card-part hold" aria-label="ยืนยันว่าเงินเข้า">
      <Alert
        type="warning"
        showIcon
        title={new AppError('MONEY_NOT_PROVEN').message}
        description={
          file
            ? `เงินของคำสั่งซื้อนี้อยู่ในไฟล์ ${file.name} ที่ ${who} นำเข้า ซึ่งรอผู้จัดการคนอื่นยืนยันในหน้าจับคู่รายการธนาคาร หรือตรวจยอดในบัญชีของร้านแล้วยืนยันเฉพาะรายการนี้`
            : `${who} บันทึกว่าได้รับเงิน แต่ยังไม่มีรายการธนาคารหรือสลิปที่ธนาคารยืนยัน ตรวจยอดในบัญชีของร้านก่อนยืนยัน`
        }
      />
      {can(role, confirmMoney.allow) && (
        <div className="row">
          <Button
            type="primary"
            icon={<BadgeCheck size={16} aria-hidden />}
            loading={confirm.isPending}
            disabled={whyNot !== null}
            aria-describedby={whyNot === null ? undefined : `why-${orderNo}`}
            onClick={() => confirm.mutate()}
          >
            ยืนยันว่าเงินเข้า
          </Button>
          {whyNot !== null && (
            <span id={`why-${orderNo}`} className="note muted grow">
              {whyNot}
            </span>
          )}
        </div>
      )}
    </section>
  )
}
