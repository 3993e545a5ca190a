import type { Game, ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { ReactNode } from 'react'
import type { Draft } from '../draft.ts'
import { paymentNameOf, playerFactsOf } from '../orders/order-facts.ts'
import { type Fact, Facts } from '../ui/facts.tsx'
import type { CreditPlan } from './credit-plan.ts'
import { PackagePrice } from './package-section.tsx'
import { fieldValueOf, nameGoods, quantityOf, totalSatangOf } from './selection.ts'
import type { OfferedPackage } from './use-offer.ts'

interface SummaryProps {
  game: Game
  draft: Draft
  chosen: OfferedPackage | undefined
  /** What shop credit pays. */
  credit: CreditPlan | null
  accounts: ReceivingAccount[]
  /** The total, or the lowest price until a package is chosen. */
  label?: string
  total?: ReactNode
  button: ReactNode
}

/** The name of the selected way to pay. */
export const namePayment = ({ paymentMethod, bank }: Draft, accounts: ReceivingAccount[]): string =>
  paymentNameOf(paymentMethod, accounts.find(({ id }) => id === bank)?.code)

/** What shop credit pays of an order, if it pays something. */
export const creditFacts = (credit: CreditPlan | null): Fact[] =>
  credit ? [{ label: 'เครดิตร้าน', value: <span className="text-ok">{`−฿${formatBaht(credit.satang)}`}</span> }] : []

/** The selection so far. It stands beside the form on a wide screen, in place of the pay bar. */
export function PurchaseSummary({
  game,
  draft,
  chosen,
  credit,
  accounts,
  label = 'ยอดรวม',
  total = '฿–',
  button,
}: SummaryProps) {
  const facts: Fact[] = [
    { label: 'เกม', value: game.name },
    { label: 'แพ็กเกจ', value: chosen ? nameGoods(chosen.name, draft) : '–' },
    ...playerFactsOf(
      game.fields.map(field => ({ ...field, value: fieldValueOf(draft, field.name) || '–' })),
      draft.playerName,
    ),
    ...creditFacts(credit),
    ...(credit?.coversAll ? [] : [{ label: 'ชำระด้วย', value: namePayment(draft, accounts) }]),
  ]
  const quantity = quantityOf(draft)
  return (
    <aside aria-label="สรุปคำสั่งซื้อ" className="hidden lg:block">
      <div className="sticky top-22 rounded-card border border-line p-5">
        <h2 className="mb-3 text-section">สรุปคำสั่งซื้อ</h2>
        <Facts facts={facts} />
        {chosen && chosen.discountSatang > 0 && (
          <div className="mt-3.5 border-line border-t pt-3.5">
            <Facts
              facts={[
                {
                  label: 'ราคา',
                  value: <PackagePrice satang={chosen.priceSatang * quantity} payment={chosen.payment} />,
                },
                {
                  label: 'ส่วนลดตัวแทน',
                  value: (
                    <span className="text-ok">{`−฿${formatBaht(chosen.priceSatang * quantity - totalSatangOf(draft, chosen))}`}</span>
                  ),
                },
              ]}
            />
          </div>
        )}
        <div className="mt-3.5 border-line border-t pt-3">
          <p className="flex items-baseline justify-between gap-3">
            <span className="font-semibold">{chosen ? 'ยอดรวม' : label}</span>
            <span className="text-title-wide">{total}</span>
          </p>
          <p className="mb-4 text-right text-ink-2 text-note">{chosen ? label : 'รวมภาษีแล้ว'}</p>
          {button}
        </div>
      </div>
    </aside>
  )
}
