import { formatBaht } from '@shop/shared/money.ts'
import type { ReactNode } from 'react'
import { type Draft, isPlayerId } from '../draft.ts'
import { classes } from '../ui/classes.ts'
import { type Fact, Facts } from '../ui/facts.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { type CreditPlan, payingWith } from './credit-plan.ts'
import { PackagePrice } from './package-section.tsx'
import { PlayerName } from './player-name.tsx'
import { creditFacts, namePayment } from './purchase-summary.tsx'
import { fieldValueOf, isConfirmed, nameGoods, neededFields, surchargeSatangOf, totalSatangOf } from './selection.ts'
import type { GameOffer, OfferedPackage } from './use-offer.ts'

interface SummaryProps {
  draft: Draft
  chosen: OfferedPackage
  offer: GameOffer
  /** What shop credit pays. */
  credit: CreditPlan | null
  /** A link to change it. */
  edit: ReactNode
}

/**
 * Shows what is about to be ordered, and largest for whom: a wrong player can't be taken back. Where nobody has told a
 * name, the id alone says whose it is, and stands larger still.
 */
export function TermsSummary({ draft, chosen, offer, credit, edit }: SummaryProps) {
  const { game } = offer
  if (!game) return null
  const creditSatang = credit?.satang ?? 0
  const surchargeSatang = surchargeSatangOf(draft, chosen, offer.methods, creditSatang)
  const facts: Fact[] = [
    { label: 'แพ็กเกจ', value: nameGoods(chosen.name, draft) },
    ...creditFacts(credit),
    ...(credit?.coversAll ? [] : [{ label: 'ชำระด้วย', value: namePayment(draft, offer.accounts) }]),
    ...(surchargeSatang > 0 ? [{ label: 'ค่าธรรมเนียม', value: `+${formatBaht(surchargeSatang)} บาท` }] : []),
  ]
  return (
    <section aria-label="สรุปคำสั่งซื้อ" className="lg:mt-3 rounded-card border border-line p-4">
      <p className="mb-3 flex flex-wrap items-center gap-3 font-semibold">
        <GameArt picture={game.picture} className="size-11 rounded-inline" />
        <span className="min-w-[min(8rem,100%)] flex-1">{game.name}</span>
        {edit}
      </p>
      <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-2 rounded-control bg-canvas px-3.5 py-2.5 empty:hidden">
        {neededFields(game.fields, offer.packages, chosen).map(({ name, label }) => (
          <div key={name} className="min-w-0">
            <dt className="text-ink-2 text-note">{label}</dt>
            <dd
              translate="no"
              className={classes(
                'wrap-anywhere tabular-nums',
                isConfirmed(draft) ? 'text-total' : 'text-title-wide tracking-wide',
              )}
            >
              {fieldValueOf(draft, name)}
            </dd>
            {isPlayerId(name) && (
              <dd className="text-ink-2 text-small">
                <PlayerName draft={draft} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      <Facts facts={facts} />
      <p className="mt-3.5 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-3.5">
        <span className="font-semibold">ยอดรวม</span>
        <PackagePrice
          satang={totalSatangOf(draft, chosen) - creditSatang + surchargeSatang}
          payment={payingWith(credit, chosen.payment)}
          className="text-total"
        />
      </p>
    </section>
  )
}
