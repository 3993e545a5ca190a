import { surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { TopUpPayment } from '@shop/shared/wallet/top-up.ts'
import { Landmark } from 'lucide-react'
import { surchargeTextOf } from '../settings/limits.ts'
import { PAYMENT_LOOK } from '../settings/payment-methods.tsx'
import { Amount } from '../ui/amount.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'
import type { useTopUp } from './use-top-up.ts'

const LABEL = 'วิธีเติมเงิน'

type Form = Pick<ReturnType<typeof useTopUp>, 'amountSatang' | 'methods' | 'method' | 'setMethod'>

/** Lets the agent choose how to pay a top-up. Nothing is asked in a shop that takes transfers alone. */
export function TopUpMethods({ form: { amountSatang, methods, method, setMethod } }: { form: Form }) {
  if (methods.length === 0) return null
  const chosen = methods.find(({ code }) => code === method)
  const surchargeSatang = chosen?.terms && amountSatang !== null ? surchargeOf(chosen.terms, amountSatang) : 0
  return (
    <div>
      <p className="mb-1.5 text-label">{LABEL}</p>
      <OptionGroup label={LABEL} value={method} onChange={code => setMethod(code as TopUpPayment)}>
        {methods.map(({ code, name, terms, reason }) => {
          const Icon = PAYMENT_LOOK[code].icon
          const surcharge = terms && surchargeTextOf(terms, amountSatang)
          return (
            <OptionCard
              key={code}
              value={code}
              name={name}
              detail={
                <>
                  เข้ากระเป๋าเงินทันทีที่จ่าย ไม่ต้องแนบสลิป
                  {surcharge && <span className="block text-ink">{surcharge}</span>}
                </>
              }
              reason={reason}
              mark={<Icon size={22} className="flex-none text-ink-2" />}
            />
          )
        })}
        <OptionCard
          value="bank"
          name="โอนเงินและแนบสลิป"
          detail="ผู้จัดการตรวจและอนุมัติ"
          mark={<Landmark size={22} className="flex-none text-ink-2" />}
        />
      </OptionGroup>
      {chosen && amountSatang !== null && (
        <p className="mt-2 text-small">
          ยอดชำระ <Amount satang={amountSatang + surchargeSatang} className="font-semibold" />
          {surchargeSatang > 0 && (
            <span className="text-ink-2">{` รวมค่าธรรมเนียม ฿${formatBaht(surchargeSatang)}`}</span>
          )}
        </p>
      )}
    </div>
  )
}
