import { formatBaht, toDecimalText } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { Download } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { AccountCard } from '../ui/account-card.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { drawQr } from '../ui/qr-picture.ts'

const PayPictureSheet = lazy(() => import('./pay-picture-sheet.tsx'))

/** The amount to transfer. Once the time to pay is over it can no longer be copied. */
export const ExactAmount = ({ satang, isOver }: { satang: number; isOver: boolean }) => (
  <div className="mt-3 lg:mt-5">
    <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-1 lg:items-center lg:justify-start">
      <p>
        <span className="block text-ink-2 text-small lg:text-body">{isOver ? 'ยอดของคำสั่งซื้อนี้' : 'ยอดที่ต้องโอน'}</span>
        <Amount satang={satang} kind="exact" className="text-hero lg:text-hero-wide" />
      </p>
      {!isOver && (
        <span className="mb-1 lg:mt-6">
          <CopyButton text={toDecimalText(satang)} label="คัดลอกยอด">
            คัดลอกยอด
          </CopyButton>
        </span>
      )}
    </div>
    {!isOver && <p className="mt-0.5 text-small lg:text-body">โอนให้ตรงทุกสตางค์ ร้านใช้เศษสตางค์ค้นหายอดของคุณ</p>}
  </div>
)

/** The two ways to transfer: by a PromptPay QR if the account has one, or to the account number. */
export function HowToTransfer({ order }: { order: OrderView }) {
  const { promptPay, receivingAccount } = order
  return (
    <div className="mt-3 lg:mt-5 lg:rounded-card lg:border lg:border-line lg:p-5">
      {promptPay && <PromptPayCard text={promptPay} order={order} />}
      {receivingAccount && (
        <>
          {promptPay && (
            <p className="py-1.5 text-center text-ink-2 text-small lg:mt-4 lg:border-line lg:border-t lg:pt-3.5 lg:text-left">
              หรือโอนเข้าบัญชี
            </p>
          )}
          <AccountCard account={receivingAccount} />
        </>
      )}
    </div>
  )
}

function PromptPayCard({ text, order }: { text: string; order: OrderView }) {
  const picture = useMemo(() => drawQr(text), [text])
  // null until the sheet was opened for the first time, which is when its code is loaded.
  const [isOpen, setOpen] = useState<boolean | null>(null)
  return (
    <div className="flex flex-wrap items-center gap-3.5 rounded-card border border-line p-3 lg:gap-6 lg:border-0 lg:p-0">
      <img
        src={picture}
        alt={`QR พร้อมเพย์ ยอด ${formatBaht(order.amountSatang)} บาท`}
        width={148}
        height={148}
        className="flex-none [image-rendering:pixelated] lg:size-50"
      />
      <div className="min-w-28 flex-1">
        <h2 className="font-semibold leading-normal lg:text-section">สแกนด้วยแอปธนาคาร</h2>
        <p className="mt-0.5 mb-2.5 text-ink-2 text-note">
          พร้อมเพย์ ระบุยอดให้แล้ว
          <span className="block">
            ผู้รับ <b className="font-semibold text-ink">{order.receivingAccount?.accountName}</b>
          </span>
        </p>
        <Button
          kind="secondary"
          size="inline"
          aria-haspopup="dialog"
          icon={<Download size={18} />}
          className="w-full lg:w-auto"
          onClick={() => setOpen(true)}
        >
          บันทึกรูป
        </Button>
      </div>
      {isOpen !== null && (
        <Suspense fallback={null}>
          <PayPictureSheet order={order} text={text} open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
