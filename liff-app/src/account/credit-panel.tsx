import { CREDIT_MOVES } from '@shop/shared/credit/credit.ts'
import { type CreditMoveRow, type CreditView, listCreditMoves, withdrawCredit } from '@shop/shared/credit/endpoints.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../api.ts'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Note } from '../ui/note.tsx'
import { Empty, Loaded, RowsSkeleton, Skeleton } from '../ui/state.tsx'
import { Withdrawals } from './credit-withdrawals.tsx'
import { pinNote } from './pin-closed.tsx'
import { useCredit, useRefreshCredit } from './use-credit.ts'

const PayeeForm = lazyPart(() => import('../transfer/payee-form.tsx'), <Skeleton className="mt-3 h-72" />)

const UNREAD = 'ไม่สามารถดึงข้อมูลได้ กรุณาลองอีกครั้ง'

/** The person's shop credit: how much, what came and went, and the way back to a bank account. */
export default function CreditPanel() {
  return (
    <Loaded query={useCredit()} skeleton={<Skeleton className="h-40 rounded-card" />} failure={UNREAD}>
      {credit => (
        <>
          <Balance credit={credit} />
          <Withdrawals rows={credit.withdrawals} hasPin={credit.pin !== null} restsUntil={credit.restsUntil} />
          <Moves />
        </>
      )}
    </Loaded>
  )
}

function Balance({ credit: { balanceSatang, pinAboveSatang, pin, restsUntil } }: { credit: CreditView }) {
  const [isLeaving, setLeaving] = useState(false)
  const refresh = useRefreshCredit()
  // One key for all tries, so that a lost answer takes nothing twice.
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID())
  const done = () => {
    setLeaving(false)
    setKey(crypto.randomUUID())
    void refresh()
  }
  return (
    <div className="rounded-card border border-line p-4">
      <p className="text-ink-2 text-note">คงเหลือ</p>
      <Amount satang={balanceSatang} className="text-total" />
      <p className="mt-1 text-ink-2 text-small">มาจากเงินคืนของร้าน ใช้ซื้อได้ทุกเกม ไม่มีวันหมดอายุ</p>
      {balanceSatang > 0 && (
        <p className="text-small">
          {`ใช้รวมเกิน ฿${formatBahtShort(pinAboveSatang)} หรือขอรับเป็นเงินโอน ต้องกรอก PIN `}
          <Link to="?panel=pin" className="link">
            {pin ? 'เปลี่ยน PIN' : 'ตั้ง PIN'}
          </Link>
        </p>
      )}
      {balanceSatang > 0 && restsUntil && (
        <Note className="mt-2" kind="warn">
          {errorMessage('CREDIT_RESTS', { time: `${formatDateTime(restsUntil)} น.` })}
        </Note>
      )}
      {balanceSatang > 0 && pin && !restsUntil && !isLeaving && (
        <Button kind="quiet" size="small" className="-ml-3 mt-1" onClick={() => setLeaving(true)}>
          ขอรับทั้งหมดเป็นเงินโอน
        </Button>
      )}
      {isLeaving && (
        <PayeeForm
          intro="ร้านจะโอนเครดิตทั้งหมดคืนเข้าบัญชีนี้ และยอดเครดิตจะเป็นศูนย์"
          submitLabel="ขอรับเป็นเงินโอน"
          thanks="รับคำขอแล้ว ร้านจะโอนเข้าบัญชีที่แจ้ง"
          pinNote={pinNote}
          send={(payee, { pin: typedPin }) =>
            api.call(withdrawCredit, { body: { ...payee, pin: typedPin }, idempotencyKey })
          }
          onGiven={done}
        />
      )}
    </div>
  )
}

function Moves() {
  const moves = useInfiniteQuery({
    queryKey: [listCreditMoves.path],
    queryFn: ({ pageParam }) => api.call(listCreditMoves, { query: { after: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
  return (
    <section aria-labelledby="credit-moves" className="mt-5">
      <h3 id="credit-moves" className="text-section">
        รายการ
      </h3>
      <Loaded query={moves} skeleton={<RowsSkeleton />} failure={UNREAD} spaced>
        {({ pages }) => {
          const rows = pages.flatMap(page => page.rows)
          return rows.length === 0 ? (
            <Empty icon={Coins} title="ยังไม่มีรายการ" text="เมื่อร้านคืนเงิน เลือกรับเป็นเครดิตร้านได้ที่หน้าคำสั่งซื้อ" />
          ) : (
            <ul className="divide-y divide-line">
              {rows.map(row => (
                <Move key={row.id} row={row} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      {moves.hasNextPage && (
        <Button kind="secondary" block busy={moves.isFetchingNextPage} onClick={() => void moves.fetchNextPage()}>
          ดูเพิ่ม
        </Button>
      )}
    </section>
  )
}

const Move = ({ row: { move, at, amountSatang, orderNo } }: { row: CreditMoveRow }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-4 py-3">
    <span className="min-w-40 flex-1">
      <span className="block font-semibold">{CREDIT_MOVES[move]}</span>
      <span className="block text-ink-2 text-note">
        {formatDateTime(at)}
        {orderNo && (
          <>
            {' · '}
            <Link to={`/purchase/details/${orderNo}`} className="link">
              {orderNo}
            </Link>
          </>
        )}
      </span>
    </span>
    <Amount satang={amountSatang} kind="signed" className="font-semibold" />
  </li>
)
