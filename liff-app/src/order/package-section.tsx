import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { Amount } from '../ui/amount.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'
import type { Draft } from './draft.ts'
import { getPriceSatang } from './selection.ts'

/** A price before the order is made: the satang of a transfer are given out later. */
export const PackagePrice = ({
  satang,
  payment,
  className,
}: {
  satang: number
  payment: PaymentCode
  className?: string
}) => <Amount satang={satang} kind={payment === 'bank' ? 'pending' : 'plain'} className={className} />

type PackageSectionProps = {
  packages: GamePackage[]
  draft: Draft
  onChange: (draft: Draft) => void
}

/** What can be bought with the chosen payment method, each at its price in force. */
export function PackageSection({ packages, draft, onChange }: PackageSectionProps) {
  const payment = draft.paymentMethod
  if (!payment) return <p className="text-ink-2 text-small">เลือกวิธีชำระเงินก่อน</p>
  const offered = packages.filter(each => each.payment === payment)
  if (offered.length === 0) return <p className="text-ink-2 text-small">ยังไม่มีแพ็กเกจที่เปิดขายในขณะนี้</p>
  return (
    <>
      {payment === 'bank' && (
        <p className="-mt-1.5 mb-3 text-ink-2 text-small">เศษสตางค์ (.xx) ระบบกำหนดให้ตอนชำระ เพื่อตรวจยอดให้อัตโนมัติ</p>
      )}
      <OptionGroup
        id="package"
        label="แพ็กเกจ"
        layout="package"
        value={draft.package === null ? null : String(draft.package)}
        onChange={id => onChange({ ...draft, package: Number(id) })}
      >
        {offered.map(each => (
          <OptionCard
            key={each.id}
            layout="package"
            value={String(each.id)}
            name={each.name}
            detail={
              <>
                <PackagePrice satang={getPriceSatang(each)} payment={payment} />
                {each.discountSatang > 0 && <Amount satang={each.priceSatang} kind="struck" />}
              </>
            }
          />
        ))}
      </OptionGroup>
    </>
  )
}
