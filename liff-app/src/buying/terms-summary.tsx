import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import type { Draft } from '../draft.ts'
import { playerFactsOf } from '../orders/order-facts.ts'
import { type Fact, Facts } from '../ui/facts.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { PackagePrice } from './package-section.tsx'
import { namePayment } from './purchase-summary.tsx'
import { fieldValueOf, nameGoods, totalSatangOf } from './selection.ts'
import type { GameOffer } from './use-offer.ts'

/** Shows what is about to be ordered. */
export function TermsSummary({ draft, chosen, offer }: { draft: Draft; chosen: GamePackage; offer: GameOffer }) {
  const { game } = offer
  if (!game) return null
  const fields = game.fields.map(field => ({ ...field, value: fieldValueOf(draft, field.name) }))
  const facts: Fact[] = [
    { label: 'แพ็กเกจ', value: nameGoods(chosen.name, draft) },
    ...playerFactsOf(fields, draft.playerName),
    { label: 'ชำระด้วย', value: namePayment(draft, offer.accounts) },
  ]
  return (
    <section aria-label="สรุปคำสั่งซื้อ" className="lg:mt-3 rounded-card border border-line p-4">
      <p className="mb-3 flex flex-wrap items-center gap-3 font-semibold">
        <GameArt picture={game.picture} className="size-11 rounded-inline" />
        <span className="min-w-[min(8rem,100%)] flex-1">{game.name}</span>
      </p>
      <Facts facts={facts} />
      <p className="mt-3.5 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-3.5">
        <span className="font-semibold">ยอดรวม</span>
        <PackagePrice satang={totalSatangOf(draft, chosen)} payment={chosen.payment} className="text-total" />
      </p>
    </section>
  )
}
