import { CURRENCY } from '@shop/shared/cost/currency.ts'
import type { RateView } from '@shop/shared/cost/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { RateDialog } from './rate-dialog.tsx'

function sourceOf({ baht, isFromBank, byName, at }: RateView): string {
  if (baht === null || at === null) return 'ยังไม่มีอัตรา'
  const who = isFromBank ? 'ธนาคารแห่งประเทศไทย รวมส่วนเผื่อ' : `กรอกโดย ${byName ?? 'ไม่ทราบชื่อ'}`
  return `${who} · ${formatDateTimeSeconds(at)}`
}

/** The rates of exchange that costs are counted with; those that products are billed in come first. */
export function RatesCard({ rates, isBankAsked }: { rates: readonly RateView[]; isBankAsked: boolean }) {
  const [opened, setOpened] = useState<RateView | null>(null)
  const [isAll, setIsAll] = useState(false)
  const inUse = rates.filter(({ isUsed, baht }) => isUsed || baht !== null)
  const shown = isAll ? [...inUse, ...rates.filter(rate => !inUse.includes(rate))] : inUse
  return (
    <section className="card" aria-label="อัตราแลกเปลี่ยน">
      <header>
        <h2 className="grow">อัตราแลกเปลี่ยน</h2>
        <span className="note muted">{isBankAsked ? 'ดึงจากธนาคารแห่งประเทศไทยทุกวัน' : 'กรอกเอง'}</span>
      </header>
      {shown.map(rate => (
        <div key={rate.currency} className="card-part row">
          <span className="grow">
            <b className="strong">{rate.currency}</b> {CURRENCY[rate.currency].label}{' '}
            <span className="number">{rate.baht === null ? '–' : `${rate.baht} บาท`}</span>
            <div className="note muted">{sourceOf(rate)}</div>
          </span>
          {rate.isOld && <span className="tag is-warn">เก่า</span>}
          {rate.isUsed && rate.baht === null && <span className="tag is-bad">ไม่ทราบต้นทุน</span>}
          <Button aria-label={`แก้อัตรา ${rate.currency}`} onClick={() => setOpened(rate)}>
            แก้
          </Button>
        </div>
      ))}
      {!isAll && inUse.length < rates.length && (
        <div className="card-part">
          <Button onClick={() => setIsAll(true)}>แสดงสกุลเงินอื่น</Button>
        </div>
      )}
      {opened && <RateDialog key={opened.currency} rate={opened} onClose={() => setOpened(null)} />}
    </section>
  )
}
