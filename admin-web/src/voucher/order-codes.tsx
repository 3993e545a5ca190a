import { can } from '@shop/shared/permissions.ts'
import { listVouchers, replaceVoucher, type VoucherView } from '@shop/shared/voucher/endpoints.ts'
import { VOUCHER_STATE } from '@shop/shared/voucher/voucher.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { Evidence } from '../upload/evidence.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'
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
              {code.withdrawn && (
                <Evidence slipId={code.withdrawn.evidenceSlipId} reference={code.withdrawn.complaint} />
              )}
            </span>
            {code.state === 'sold' && can(role, replaceVoucher.allow) && (
              <Button aria-label={`เปลี่ยนรหัสลงท้าย ${code.lastFour}`} onClick={() => setBad(code)}>
                เปลี่ยนรหัส…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {bad && <ReplaceDialog orderNo={orderNo} bad={bad} onClose={() => setBad(null)} />}
    </section>
  )
}

/** "ดูแล้วเมื่อ 20/11/2026 14:05 บน iPhone · LINE · ดู 2 ครั้ง": whether its buyer has seen a code. */
function noteOf({ revealedAt, revealedOn, reveals, withdrawn, state }: VoucherView): string {
  if (withdrawn) return `${withdrawn.byName ?? 'ไม่ทราบชื่อ'}: ${withdrawn.reason}`
  if (revealedAt)
    return [
      `ดูแล้วเมื่อ ${formatDateTimeSeconds(revealedAt)}${revealedOn ? ` บน ${revealedOn}` : ''}`,
      reveals > 1 && `ดู ${reveals} ครั้ง`,
    ]
      .filter(Boolean)
      .join(' · ')
  return state === 'sold' ? 'ลูกค้ายังไม่ได้ดู' : ''
}
