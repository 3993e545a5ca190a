import { supplierLabel } from '@shop/shared/provider-names.ts'
import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import { REJECTION } from '@shop/shared/supplier/supplier.ts'
import { formatClock, formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'

const POLL_MS = 15_000

/** Reads again and again how the suppliers do. */
export function useSuppliersNow() {
  return useQuery({ ...useClient().query(getSupplier), refetchInterval: POLL_MS })
}

/** Warns when suppliers no longer deliver orders, or when an order needs a person. */
export function SupplierNotice() {
  const { data } = useSuppliersNow()
  if (!data) return null
  const { suppliers, waitingOrders, unclearOrderNos } = data
  const stopped = suppliers.flatMap(({ name, stopped }) => (stopped ? [{ name, ...stopped }] : []))
  const resting = suppliers.flatMap(({ name, isOn, brokenUntil, stopped }) =>
    isOn && brokenUntil && !stopped ? [{ name, brokenUntil }] : [],
  )
  const off = suppliers.filter(({ isOn, stopped }) => !isOn && !stopped)
  const low = suppliers.filter(
    ({ isOn, isBalanceLow, stopped }) => isOn && isBalanceLow && stopped?.reason !== 'balance',
  )
  const waits = waitingOrders > 0 ? [`รออยู่ ${waitingOrders} คำสั่งซื้อ ทีมงานเติมเองได้ หรือให้ผู้จัดการเปิดอีกครั้งในหน้าตั้งค่า`] : []
  return (
    <>
      {stopped.length > 0 && (
        <Notice
          type="error"
          title={`หยุดซื้อจาก ${namesOf(stopped)}`}
          lines={[
            ...stopped.map(
              ({ name, reason, at }) =>
                `${supplierLabel(name)}: ${REJECTION[reason].text} ตั้งแต่ ${formatDateTimeSeconds(at)}`,
            ),
            ...waits,
          ]}
        />
      )}
      {off.length > 0 && stopped.length === 0 && waits.length > 0 && (
        <Notice type="warning" title={`ปิดการซื้อจาก ${namesOf(off)} อยู่`} lines={waits} />
      )}
      {resting.length > 0 && (
        <Notice
          type="warning"
          title={`พักซื้อจาก ${namesOf(resting)} เพราะตอบไม่แน่นอนหลายครั้ง`}
          lines={resting.map(
            ({ name, brokenUntil }) => `${supplierLabel(name)} กลับมาซื้อเองเวลา ${formatClock(brokenUntil)}`,
          )}
        />
      )}
      {low.length > 0 && <Notice type="warning" title={`เงินของร้านที่ ${namesOf(low)} ใกล้หมด กรุณาแจ้งผู้จัดการ`} lines={[]} />}
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

const namesOf = (suppliers: readonly { name: string }[]): string =>
  suppliers.map(({ name }) => supplierLabel(name)).join(', ')

function Notice({ type, title, lines }: { type: 'error' | 'warning'; title: string; lines: readonly string[] }) {
  const words = lines.map(line => <div key={line}>{line}</div>)
  return (
    <Alert type={type} showIcon title={title} description={lines.length > 0 && words} style={{ marginBottom: 16 }} />
  )
}
