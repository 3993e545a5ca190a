import { giveWithdrawalPayee, type Withdrawal } from '@shop/shared/credit/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { payeeEndText } from '@shop/shared/order/payee.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Skeleton } from '../ui/state.tsx'
import { SlipViewer } from '../upload/slip-picture.tsx'
import { pinNote } from './pin-closed.tsx'
import { useRefreshCredit } from './use-credit.ts'

const PayeeForm = lazyPart(() => import('../transfer/payee-form.tsx'), <Skeleton className="mt-3 h-72" />)

const factsOf = ({ amountSatang, askedAt, payee, sentAt }: Withdrawal) => [
  { label: 'ยอดโอน', value: <b className="tabular-nums">฿{formatBaht(amountSatang)}</b> },
  { label: sentAt ? 'โอนไปที่' : 'จะโอนไปที่', value: payee ? payeeEndText(payee) : 'บัญชีของคุณ' },
  { label: sentAt ? 'โอนเมื่อ' : 'ขอไว้เมื่อ', value: formatDateTime(sentAt ?? askedAt) },
]

interface WithdrawalsProps {
  rows: Withdrawal[]
  hasPin: boolean
  restsUntil: string | null
}

/** What its owner wants from shop credit as a transfer, and what was sent. Nobody else sees it or says where it goes. */
export function Withdrawals({ rows, hasPin, restsUntil }: WithdrawalsProps) {
  const [slipOf, setSlipOf] = useState<Withdrawal | null>(null)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="credit-withdrawals" className="mt-5">
      <h3 id="credit-withdrawals" className="text-section">
        รับเป็นเงินโอน
      </h3>
      <ul className="divide-y divide-line">
        {rows.map(row => (
          <li key={row.id} className="py-3">
            <Facts facts={factsOf(row)} />
            {row.slipId && (
              <Button kind="quiet" size="small" className="-ml-3" onClick={() => setSlipOf(row)}>
                ดูสลิปการโอน
              </Button>
            )}
            {!row.sentAt && hasPin && !restsUntil && <OtherAccount id={row.id} />}
          </li>
        ))}
      </ul>
      <SlipViewer
        slip={slipOf?.slipId ? { slipId: slipOf.slipId, no: formatDateTime(slipOf.askedAt) } : null}
        open={slipOf !== null}
        onClose={() => setSlipOf(null)}
      />
    </section>
  )
}

function OtherAccount({ id }: { id: string }) {
  const [isEditing, setEditing] = useState(false)
  const refresh = useRefreshCredit()
  if (!isEditing)
    return (
      <Button kind="quiet" size="small" className="-ml-3" onClick={() => setEditing(true)}>
        เปลี่ยนบัญชีรับเงิน
      </Button>
    )
  return (
    <PayeeForm
      intro="ร้านจะโอนไปยังบัญชีใหม่นี้แทน จนกว่าจะโอนแล้ว"
      submitLabel="เปลี่ยนบัญชี"
      thanks="เปลี่ยนบัญชีรับเงินแล้ว"
      pinNote={pinNote}
      send={(payee, { pin }) => api.call(giveWithdrawalPayee, { params: { id }, body: { ...payee, pin } })}
      onGiven={() => {
        setEditing(false)
        void refresh()
      }}
    />
  )
}
