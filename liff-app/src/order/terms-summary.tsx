import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { GameArt } from '../catalogue/game-art.tsx'
import { type Draft, getQuantity } from './draft.ts'
import { type Fact, Facts } from './facts.tsx'
import { PackagePrice } from './package-section.tsx'
import { namePayment } from './purchase-summary.tsx'
import { getFieldValue, getPriceSatang, nameGoods } from './selection.ts'
import type { Offer } from './use-offer.ts'

/** What is about to be ordered. */
export function TermsSummary({ draft, chosen, offer }: { draft: Draft; chosen: GamePackage; offer: Offer }) {
  const { game } = offer
  if (!game) return null
  const players: Fact[] = game.fields.map(({ name, label }) => ({
    label,
    value: getFieldValue(draft, name),
    note: name === 'field1' ? draft.playerName : undefined,
  }))
  const facts: Fact[] = [
    { label: 'แพ็กเกจ', value: nameGoods(chosen.name, draft) },
    ...players,
    { label: 'ชำระด้วย', value: namePayment(draft, offer.accounts) },
  ]
  return (
    <section aria-label="สรุปคำสั่งซื้อ" className="lg:mt-3 rounded-card border border-line p-4">
      <p className="mb-3 flex items-center gap-3 font-semibold">
        <GameArt picture={game.picture} className="size-11 rounded-inline" />
        {game.name}
      </p>
      <Facts facts={facts} />
      <p className="mt-3.5 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-3.5">
        <span className="font-semibold">ยอดรวม</span>
        <PackagePrice
          satang={getPriceSatang(chosen) * getQuantity(draft)}
          payment={chosen.payment}
          className="text-total"
        />
      </p>
    </section>
  )
}
