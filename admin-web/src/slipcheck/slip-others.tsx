import type { OtherOfSlip, UsedTransferView } from '@shop/shared/slipcheck/verdict-view.ts'
import { CircleX, TriangleAlert } from 'lucide-react'
import { StatementLineLink, TargetLink } from '../account/staff-link.tsx'
import { Check } from '../ui/check.tsx'

/** Warns, in a list of checks, of other orders and top-ups that the same slip was handed in for. */
export function SlipOthers({ others }: { others: readonly OtherOfSlip[] }) {
  return others.map(other => {
    const [said, hint] = other.hasPaid
      ? ['จ่ายแล้ว จ่ายซ้ำไม่ได้', 'หากเงินของรายการนี้เข้าจริง ให้จับคู่กับรายการธนาคาร']
      : ['ด้วย', 'ตรวจว่าเป็นเงินของรายการใดก่อนรับ จ่ายได้รายการเดียว']
    return (
      <Check key={other.id} tone={other.hasPaid ? 'bad' : 'warn'} icon={other.hasPaid ? CircleX : TriangleAlert}>
        สลิปเดียวกันนี้ส่งให้ <TargetLink className="number" target={other} /> {said}
        <div className="note muted">{hint}</div>
      </Check>
    )
  })
}

/** Warns, in a list of checks, of what may have been paid with the same money: account, amount and time agree. */
export function MaybeUsed({ users }: { users: readonly UsedTransferView[] }) {
  return users.map(({ kind, id, no, lineNo }) => (
    <Check key={id} tone="bad" icon={CircleX}>
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
    </Check>
  ))
}
