import type { OtherOfSlip, UsedTransferView } from '@shop/shared/slipcheck/verdict-view.ts'
import { CircleX, TriangleAlert } from 'lucide-react'
import { StatementLineLink, TargetLink } from '../account/staff-link.tsx'

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
          สลิปเดียวกันนี้ส่งให้ <TargetLink className="number" target={other} /> {said}
          <div className="note muted">{hint}</div>
        </div>
      </li>
    )
  })
}

/** Warns, in a list of checks, of what may have the same money already: its account, amount and time agree. */
export function MaybeUsed({ users }: { users: readonly UsedTransferView[] }) {
  return users.map(({ kind, id, no, lineNo }) => (
    <li key={id} className="is-bad">
      <CircleX size={16} aria-hidden style={{ marginTop: 3 }} />
      <div className="grow">
        เงินก้อนนี้อาจเป็นของ{' '}
        {kind === 'line' ? (
          <StatementLineLink id={id}>รายการธนาคารหมายเลข {no}</StatementLineLink>
        ) : (
          <TargetLink className="number" target={{ kind, id, no }} />
        )}{' '}
        ที่รับไปแล้ว
        <div className="note muted">
          {kind !== 'line' && lineNo !== null && `ตามรายการธนาคารหมายเลข ${lineNo} · `}
          บัญชี ยอด และเวลาตรงกัน · รับอีกครั้งได้เมื่อธนาคารมีเงินเข้าสองครั้งจริง
        </div>
      </div>
    </li>
  ))
}
