import { AppError } from '@shop/shared/errors.ts'
import type { TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { chargeTopUp, type GatewayTopUp, getTopUpCharge } from '@shop/shared/wallet/top-up-endpoints.ts'
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router-dom'
import { api } from '../api.ts'
import { ChargeBox } from '../gateway/charge-box.tsx'
import { paidSatangOf, surchargeSatangOf } from '../gateway/charge-facts.ts'
import { Offline, OtherMethods, SilentGateway } from '../gateway/charge-parts.tsx'
import { type Charged, useCharge } from '../gateway/use-charge.ts'
import { ContactLink } from '../settings/contact-link.tsx'
import { useTopUpMethods } from '../settings/offered-methods.ts'
import { Amount } from '../ui/amount.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Countdown, useRemainingSeconds } from '../ui/countdown.tsx'
import { Note } from '../ui/note.tsx'
import { Empty, Loaded, Skeleton } from '../ui/state.tsx'
import { timeMessageOf } from '../unanswered.ts'
import { CancelTopUpDialog } from './cancel-top-up-dialog.tsx'
import { useGatewayTopUp } from './use-gateway-top-up.ts'
import { useRefreshWallet } from './use-wallet.ts'

/** The page for paying a top-up through the payment gateway. It goes on by itself when the money is on the wallet. */
export default function TopUpPaymentScreen() {
  const { id = '' } = useParams()
  const query = useGatewayTopUp(id)
  return (
    <Loaded query={query} skeleton={<PaymentSkeleton />} failure={timeMessageOf}>
      {topUp => {
        const shown = { topUp, receivedAt: query.dataUpdatedAt, onStale: query.refetch }
        if (topUp.status === 'approve') return <Done topUp={topUp} />
        return topUp.status === 'waiting_payment' ? <Paying {...shown} /> : <Ended topUp={topUp} />
      }}
    </Loaded>
  )
}

const chargedOf = ({ id, method, charge }: GatewayTopUp): Charged => ({
  key: id,
  method,
  charge,
  make: next => api.call(chargeTopUp, { params: { id }, body: { method: next } }),
  read: () => api.call(getTopUpCharge, { params: { id } }),
})

const goodsOf = ({ no }: GatewayTopUp) => ({
  goods: 'เติมเงินเข้ากระเป๋าเงิน',
  subject: `รายการเติมเงิน ${no}`,
  fileName: `promptpay-${no}`,
})

interface PayingProps {
  topUp: GatewayTopUp
  receivedAt: number
  /** To be called when the top-up may no longer be as it is shown. */
  onStale: () => unknown
}

function Paying({ topUp, receivedAt, onStale }: PayingProps) {
  const [isAsking, setAsking] = useState(false)
  const deadline = { serverNow: topUp.nowDate, receivedAt, expiresAt: topUp.expiresAt }
  const isOver = useRemainingSeconds(deadline) === 0
  const { method, charge, charging, choose, retry } = useCharge(chargedOf(topUp), !isOver)
  const methods = useTopUpMethods()
  const isRefused = charging.at === 'refused' && isOfTopUp(charging.error)
  useEffect(() => {
    if (isRefused) void onStale()
  }, [isRefused, onStale])
  // The answer about a charge comes before the top-up that names it.
  const shown = charge && topUp.charge?.id !== charge.id ? { ...topUp, charge } : topUp
  const surchargeSatang = surchargeSatangOf(shown)
  const totalSeconds = (Date.parse(topUp.expiresAt) - Date.parse(topUp.createdDate)) / 1000
  return (
    <div className="lg:max-w-120">
      <h1 className="sr-only lg:not-sr-only lg:page-title">เติมเงิน</h1>
      <Countdown {...deadline} totalSeconds={totalSeconds} ended="หมดเวลาชำระแล้ว" />
      <Offline />
      <SilentGateway charge={topUp.charge} nowDate={topUp.nowDate} />
      <p className="mt-3 lg:mt-5">
        <span className="block text-ink-2 text-small lg:text-body">ยอดชำระ</span>
        <Amount satang={paidSatangOf(shown)} className="text-hero lg:text-hero-wide" />
        {surchargeSatang > 0 && (
          <span className="block text-ink-2 text-small">
            เข้ากระเป๋าเงิน <Amount satang={topUp.amountSatang} /> + ค่าธรรมเนียม <Amount satang={surchargeSatang} />
          </span>
        )}
      </p>
      {isOver ? (
        <Note className="mt-3" kind="warn" role="status">
          <b className="block font-semibold">หมดเวลาชำระแล้ว อย่าจ่ายยอดนี้</b>
          จ่ายไปแล้ว รอสักครู่ ยอดจะเข้ากระเป๋าเงินเอง · ยังไม่ได้จ่าย เติมใหม่ได้เลย
        </Note>
      ) : (
        <div className="mt-3 lg:mt-5">
          <ChargeBox goods={goodsOf(topUp)} method={method} charging={charging} onRetry={retry} />
          {charging.at !== 'paid' && (
            <OtherMethods methods={methods} amountSatang={topUp.amountSatang} method={method} onChoose={choose}>
              <ButtonLink kind="secondary" size="inline" to="/wallet">
                โอนเงินธนาคาร ที่หน้ากระเป๋าเงิน
              </ButtonLink>
            </OtherMethods>
          )}
        </div>
      )}
      <p className="mt-4 text-ink-2 text-small">
        {`รายการเติมเงิน ${topUp.no} · `}
        <ContactLink>ติดต่อร้าน</ContactLink>
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <ButtonLink kind="secondary" size="small" to="/wallet">
          ไว้จ่ายภายหลัง
        </ButtonLink>
        <Button kind="destructive" size="small" onClick={() => setAsking(true)}>
          ยกเลิกรายการ
        </Button>
      </div>
      <CancelTopUpDialog row={isAsking ? topUp : null} onClose={() => setAsking(false)} />
    </div>
  )
}

/** Whether a charge is refused because the top-up is no longer as it is shown. */
const isOfTopUp = (error: Error) => error instanceof AppError && error.code === 'TOP_UP_NOT_WAITING'

const ToWallet = () => (
  <ButtonLink kind="tint" size="small" to="/wallet" replace>
    ไปที่กระเป๋าเงิน
  </ButtonLink>
)

function Done({ topUp: { amountSatang, balanceSatang, no } }: { topUp: GatewayTopUp }) {
  const refresh = useRefreshWallet()
  useEffect(() => {
    void refresh()
  }, [refresh])
  return (
    <div role="status">
      <h1 className="sr-only">เติมเงินแล้ว</h1>
      <Empty
        icon={CircleCheck}
        title="เงินเข้ากระเป๋าเงินแล้ว"
        text={
          <>
            <Amount satang={amountSatang} className="block font-semibold text-ink text-title" />
            ยอดคงเหลือ <Amount satang={balanceSatang} className="font-semibold text-ink" />
            <span className="block text-note">{no}</span>
          </>
        }
        action={<ToWallet />}
      />
    </div>
  )
}

const ENDED: Record<TopUpStatus, string | null> = {
  cancel: 'ยกเลิกรายการแล้ว',
  expired: 'หมดเวลาชำระแล้ว',
  reject: null,
  approve: null,
  waiting_payment: null,
  waiting_approve: null,
}

function Ended({ topUp: { status, no } }: { topUp: GatewayTopUp }) {
  return (
    <div role="status">
      <Empty
        icon={CircleX}
        title={ENDED[status] ?? 'รายการนี้จบแล้ว'}
        text={
          <>
            {no}
            <span className="block">หากจ่ายไปแล้ว ยอดจะเข้ากระเป๋าเงินเอง ไม่ต้องจ่ายซ้ำ</span>
          </>
        }
        action={<ToWallet />}
      />
    </div>
  )
}

const PaymentSkeleton = () => (
  <>
    <Skeleton className="h-8" />
    <Skeleton className="mt-3 h-20 w-56" />
    <Skeleton className="mt-4 h-64" />
  </>
)
