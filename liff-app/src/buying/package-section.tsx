import { DELIVERS } from '@shop/shared/catalogue/delivers.ts'
import { isGatewayMethod, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import { formatDay } from '@shop/web/dates.ts'
import { TriangleAlert } from 'lucide-react'
import type { ChangeDraft, Draft } from '../draft.ts'
import { findOffReason, type OfferedMethod } from '../settings/limits.ts'
import { payingOf } from '../settings/payment-methods.tsx'
import { Amount } from '../ui/amount.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'
import type { OfferedPackage } from './use-offer.ts'

/** Codes of one package may end on several days; which one a buyer gets shows when they order. */
export const expiryText = (soonestExpiry: string): string => `หมดอายุเร็วสุด ${formatDay(soonestExpiry)}`

interface PackagePriceProps {
  satang: Satang
  payment: PaymentCode
  className?: string
}

/** A price as it looks before the order is made. */
export const PackagePrice = ({ satang, payment, className }: PackagePriceProps) => (
  <Amount satang={satang} kind={payingOf(payment).priceKind} className={className} />
)

/** What the shop tells of a package: the first two lines in its card, all of it once the card is chosen. */
const PackageDescription = ({ text }: { text: string }) =>
  text && (
    <span className="wrap-anywhere mt-0.5 line-clamp-2 font-normal text-ink-2 text-note group-data-checked:line-clamp-none">
      {text}
    </span>
  )

interface PackageSectionProps {
  packages: OfferedPackage[]
  methods: OfferedMethod[]
  /** The buyer's wallet with its balance and limits; null without one. */
  wallet: WalletView | null
  draft: Draft
  onChange: ChangeDraft
}

/** What a buyer must know before paying: in short in the card, all of it on the page of the terms. */
const PackageWarning = ({ text }: { text: string }) =>
  text && (
    <span className="mt-1 flex items-start gap-1 font-normal text-note text-warn">
      <TriangleAlert size={14} className="mt-0.5 flex-none" />
      <span className="wrap-anywhere line-clamp-3 min-w-0 group-data-checked:line-clamp-none">
        <span className="sr-only">ข้อควรรู้ </span>
        {text}
      </span>
    </span>
  )

/**
 * Why a package can't be chosen. One that only the chosen method of the payment gateway does not take can: another
 * method takes its place.
 */
function offReasonOf(
  each: OfferedPackage,
  { packages, methods, wallet }: Omit<PackageSectionProps, 'draft' | 'onChange'>,
) {
  const reasonFor = ({ id, payment, ...priced }: OfferedPackage) => {
    const method = methods.find(({ code }) => code === payment)
    return method && findOffReason(method, sellingPriceOf(priced), wallet)
  }
  const isTakenElsewhere = () =>
    isGatewayMethod(each.payment) && packages.some(other => other.id === each.id && !reasonFor(other))
  if (each.isOut) return 'หมดชั่วคราว'
  const reason = reasonFor(each)
  return reason && !isTakenElsewhere() ? reason : undefined
}

/** The packages that the chosen payment method can buy, each at its current price. */
export function PackageSection({ packages, methods, wallet, draft, onChange }: PackageSectionProps) {
  const payment = draft.paymentMethod
  const offered = packages.filter(each => each.payment === payment)
  if (!payment || offered.length === 0) return <p className="text-ink-2 text-small">ขณะนี้ยังไม่เปิดขายแพ็กเกจ</p>
  const note = payingOf(payment).priceNoteOf(wallet)
  return (
    <>
      <OptionGroup
        id="package"
        label="แพ็กเกจ"
        layout="package"
        value={draft.package === null ? null : String(draft.package)}
        onChange={id => onChange({ package: Number(id) })}
      >
        {offered.map(each => (
          <OptionCard
            key={each.id}
            layout="package"
            value={String(each.id)}
            name={each.name}
            reason={offReasonOf(each, { packages, methods, wallet })}
            detail={
              <>
                <PackagePrice satang={sellingPriceOf(each)} payment={payment} />
                {each.discountSatang > 0 && <Amount satang={each.priceSatang} kind="struck" />}
                {each.delivers === 'code' && (
                  <span className="block font-normal text-ink-2 text-note">
                    {DELIVERS.code.label}
                    {each.soonestExpiry && ` · ${expiryText(each.soonestExpiry)}`}
                  </span>
                )}
                <PackageDescription text={each.desc} />
                <PackageWarning text={each.warning} />
              </>
            }
          />
        ))}
      </OptionGroup>
      {note && <p className="mt-2.5 text-ink-2 text-note">{note}</p>}
    </>
  )
}
