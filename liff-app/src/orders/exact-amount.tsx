import { toDecimalText } from '@shop/shared/money.ts'
import { Amount } from '../ui/amount.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

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
