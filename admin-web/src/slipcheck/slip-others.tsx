import type { OtherOfSlip } from '@shop/shared/slipcheck/verdict-view.ts'
import { CircleX, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router-dom'
import { placeOfTarget } from '../account/place-of-target.ts'

/** Warns, in a list of checks, of what else the same slip was handed in for. */
export function SlipOthers({ others }: { others: readonly OtherOfSlip[] }) {
  return others.map(other => {
    const { tone, Icon, said, hint } = other.hasPaid
      ? { tone: 'bad', Icon: CircleX, said: 'จ่ายแล้ว จ่ายซ้ำไม่ได้', hint: 'หากเงินของรายการนี้เข้าจริง ให้จับคู่กับรายการธนาคาร' }
      : { tone: 'warn', Icon: TriangleAlert, said: 'ด้วย', hint: 'ตรวจว่าเป็นเงินของรายการใดก่อนรับ จ่ายได้รายการเดียว' }
    return (
      <li key={other.id} className={`is-${tone}`}>
        <Icon size={16} aria-hidden style={{ marginTop: 3 }} />
        <div className="grow">
          สลิปเดียวกันนี้ส่งให้{' '}
          <Link className="number" to={placeOfTarget(other)}>
            {other.no}
          </Link>{' '}
          {said}
          <div className="note muted">{hint}</div>
        </div>
      </li>
    )
  })
}
