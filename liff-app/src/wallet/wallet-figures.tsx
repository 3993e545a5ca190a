import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import { Plus } from 'lucide-react'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'

/** The balance, the two other figures of the wallet, and the button for a top-up. */
export function WalletFigures({ wallet, onTopUp }: { wallet: WalletView; onTopUp: () => void }) {
  return (
    <section
      aria-label="ยอดเงิน"
      className="@container mt-3 flex flex-wrap items-end justify-between gap-x-8 gap-y-3.5 rounded-card bg-canvas p-4 lg:p-6"
    >
      <dl className="flex min-w-0 flex-auto flex-wrap items-end gap-x-10 gap-y-2">
        <div className="basis-full lg:basis-auto">
          <dt className="text-ink-2 text-small">ยอดคงเหลือ</dt>
          <dd>
            <Amount satang={wallet.balanceSatang} className="text-hero @max-[15rem]:text-title lg:text-hero-wide" />
          </dd>
        </div>
        <Figure label="รออนุมัติ" satang={wallet.waitingSatang} />
        <Figure label="เติมเดือนนี้" satang={wallet.thisMonthSatang} />
      </dl>
      <Button className="basis-full lg:min-w-48 lg:basis-auto" icon={<Plus size={20} />} onClick={onTopUp}>
        เติมเงิน
      </Button>
    </section>
  )
}

const Figure = ({ label, satang }: { label: string; satang: number }) => (
  <div className="border-card not-first:not-[:nth-child(2)]:border-l not-first:not-[:nth-child(2)]:pl-6 lg:border-l lg:pl-6">
    <dt className="text-ink-2 text-note">{label}</dt>
    <dd className="font-semibold">
      <Amount satang={satang} />
    </dd>
  </div>
)
