import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { listVouchers, replaceVoucher, type VoucherView } from '@shop/shared/voucher/endpoints.ts'
import { VOUCHER_STATE } from '@shop/shared/voucher/voucher.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import './voucher.css'

/** An order has at most so many codes and replacements on one page. */
const MOST = 100

/** The codes of an order by their ends, and the way to replace a bad one. Draws nothing before it has any. */
export function OrderCodes({ orderNo, quantity }: { orderNo: string; quantity: number }) {
  const client = useClient()
  const { role } = useMe()
  const [bad, setBad] = useState<VoucherView | null>(null)
  const mayLook = can(role, listVouchers.allow)
  const list = useQuery({
    ...client.query(listVouchers, { query: { orderNo, pageSize: MOST } }),
    enabled: mayLook,
  })
  const { data, error, refetch } = list
  if (!mayLook || (!error && !data?.rows.length)) return null
  const rows = data?.rows ?? []
  const sold = rows.filter(({ state }) => state === 'sold')
  return (
    <section className="card-part" aria-label="รหัสของคำสั่งซื้อ">
      <h3 className="note muted">
        รหัส {sold.length}/{quantity}
      </h3>
      {error && !data && <LoadError error={error} onRetry={refetch} />}
      <ul className="order-codes">
        {rows.map(code => (
          <li key={code.id} className="row">
            <span className="grow">
              <span className="number strong">••••{code.lastFour}</span>{' '}
              <span className={`tag is-${VOUCHER_STATE[code.state].tone}`}>{VOUCHER_STATE[code.state].label}</span>
              <span className="note muted breakable"> {noteOf(code)}</span>
            </span>
            {code.state === 'sold' && can(role, replaceVoucher.allow) && (
              <Button aria-label={`เปลี่ยนรหัสลงท้าย ${code.lastFour}`} onClick={() => setBad(code)}>
                เปลี่ยนรหัส…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {bad && <Replace orderNo={orderNo} bad={bad} onClose={() => setBad(null)} />}
    </section>
  )
}

/** "ดูแล้วเมื่อ 20/11/2026 14:05 บน iPhone · LINE · ดู 2 ครั้ง": whether its buyer has seen a code. */
function noteOf({ revealedAt, revealedOn, reveals, withdrawn, state }: VoucherView): string {
  if (withdrawn) return `${withdrawn.byName ?? 'ไม่ทราบชื่อ'}: ${withdrawn.reason}`
  if (revealedAt)
    return [
      `ดูแล้วเมื่อ ${formatDateTime(revealedAt)}${revealedOn ? ` บน ${revealedOn}` : ''}`,
      reveals > 1 && `ดู ${reveals} ครั้ง`,
    ]
      .filter(Boolean)
      .join(' · ')
  return state === 'sold' ? 'ลูกค้ายังไม่ได้ดู' : ''
}

function Replace({ orderNo, bad, onClose }: { orderNo: string; bad: VoucherView; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const replace = useMutation({
    mutationFn: (reason: string) => client.call(replaceVoucher, { body: { orderNo, id: bad.id, reason } }),
    onSuccess: ({ lastFour }) => {
      message.success(`ส่งรหัสใหม่ลงท้าย ${lastFour} ให้ลูกค้าแล้ว`)
      onClose()
      return queries.invalidateQueries()
    },
  })
  return (
    <ReasonDialog
      title={`เปลี่ยนรหัสลงท้าย ${bad.lastFour}`}
      label="รหัสเดิมใช้ไม่ได้เพราะอะไร"
      okText="เปลี่ยนรหัส"
      isDanger
      maxLength={300}
      isBusy={replace.isPending}
      failureTitle="เปลี่ยนรหัสไม่สำเร็จ"
      failure={replace.error && messageOf(replace.error)}
      onSubmit={reason => replace.mutate(reason)}
      onClose={onClose}
    >
      <p>
        ลูกค้าจะได้รหัสใหม่ของแพ็กเกจเดียวกันโดยไม่จ่ายเพิ่ม และดูรหัสเดิมไม่ได้อีก ยอดนี้นับรวมวงเงินต่อวันของคุณ และแจ้งผู้จัดการทุกครั้ง
        {bad.revealedAt && ' ลูกค้าเปิดดูรหัสเดิมแล้ว กรุณาขอหลักฐานก่อนเปลี่ยน'}
      </p>
    </ReasonDialog>
  )
}
