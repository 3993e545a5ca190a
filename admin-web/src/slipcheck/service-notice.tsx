import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { formatClock } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useClient } from '../account/session.tsx'

const POLL_MS = 60_000

/** Reads again and again how the automatic check of slips does. */
export function useSlipService() {
  return useQuery({ ...useClient().query(getSlipService), refetchInterval: POLL_MS })
}

/** Warns when the automatic check of slips has stopped, or its quota is nearly used up. */
export function SlipServiceNotice() {
  const { data } = useSlipService()
  if (!data) return null
  const { stopped, isQuotaLow, usedThisMonth, monthlyQuota } = data
  const used = `ใช้ไป ${usedThisMonth} จาก ${monthlyQuota} ครั้งของเดือนนี้`
  return (
    <>
      {stopped && (
        <Alert
          type="error"
          showIcon
          title="ตรวจสลิปอัตโนมัติหยุดอยู่ กรุณาแจ้งเจ้าของร้าน"
          description={`ผู้ตรวจสลิปปฏิเสธ (รหัส ${stopped.code ?? '–'}) ตรวจคีย์ แพ็กเกจ และโควตา จะลองใหม่ ${formatClock(stopped.until)} ระหว่างนี้ทีมงานตรวจสลิปเอง`}
          style={{ marginBottom: 16 }}
        />
      )}
      {isQuotaLow && (
        <Alert
          type="warning"
          showIcon
          title={usedThisMonth >= monthlyQuota ? 'โควตาตรวจสลิปของเดือนนี้หมดแล้ว' : 'โควตาตรวจสลิปใกล้หมด'}
          description={`${used} เมื่อหมดแล้วทีมงานต้องตรวจสลิปเอง`}
          style={{ marginBottom: 16 }}
        />
      )}
    </>
  )
}
