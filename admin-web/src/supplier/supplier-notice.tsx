import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import { REJECTION } from '@shop/shared/supplier/supplier.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'

const POLL_MS = 15_000

/** Warns when the supplier no longer delivers orders, or when an order needs a person. */
export function SupplierNotice() {
  const client = useClient()
  const { data } = useQuery({ ...client.query(getSupplier), refetchInterval: POLL_MS })
  if (!data) return null
  const { name, stopped, waitingOrders, isBalanceLow, isOn, unclearOrderNos } = data
  const wait = `รออยู่ ${waitingOrders} คำสั่งซื้อ ทีมงานเติมเองได้ หรือให้ผู้จัดการเปิดอีกครั้งในหน้าตั้งค่า`
  return (
    <>
      {stopped && (
        <Alert
          type="error"
          showIcon
          title={`เติมอัตโนมัติหยุดอยู่: ${REJECTION[stopped.reason].text}`}
          description={`ตั้งแต่ ${formatDateTimeSeconds(stopped.at)} ${wait}`}
          style={{ marginBottom: 16 }}
        />
      )}
      {name && !isOn && !stopped && waitingOrders > 0 && (
        <Alert type="warning" showIcon title="ปิดการเติมอัตโนมัติอยู่" description={wait} style={{ marginBottom: 16 }} />
      )}
      {isOn && isBalanceLow && stopped?.reason !== 'balance' && (
        <Alert type="warning" showIcon title="เงินของร้านที่ผู้จำหน่ายใกล้หมด กรุณาแจ้งผู้จัดการ" style={{ marginBottom: 16 }} />
      )}
      {unclearOrderNos.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`ต้องตรวจกับผู้จำหน่าย ${unclearOrderNos.length} คำสั่งซื้อ`}
          description={unclearOrderNos.map(orderNo => (
            <Link key={orderNo} className="number" to={`/management/details/${orderNo}`} style={{ marginRight: 12 }}>
              {orderNo}
            </Link>
          ))}
          style={{ marginBottom: 16 }}
        />
      )}
    </>
  )
}
