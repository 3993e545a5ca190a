import { type GatewayMethod, isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { ChargeSummary } from '@shop/shared/gateway/fields.ts'
import { surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { findOffReason, type OfferedMethod } from '../settings/limits.ts'
import { PAYMENT_LOOK } from '../settings/payment-methods.tsx'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { useOnline } from '../ui/use-online.ts'
import { isSilent } from './charge-facts.ts'

/** What is said while this device can't hear whether the money came. */
export function Offline() {
  if (useOnline()) return null
  return (
    <Note className="mt-3" kind="warn" icon={WifiOff} role="status">
      ออฟไลน์อยู่ หากจ่ายแล้ว ไม่ต้องจ่ายซ้ำ ระบบจะอัปเดตเมื่อกลับมาออนไลน์
    </Note>
  )
}

/** What is said while the gateway does not tell whether the money came. */
export function SilentGateway({ charge, nowDate }: { charge: ChargeSummary | null; nowDate: string }) {
  if (!isSilent(charge, nowDate)) return null
  return (
    <Note className="mt-3" kind="warn" role="status">
      <b className="block font-semibold">ผู้ให้บริการรับชำระยังไม่ตอบ</b>
      หากจ่ายแล้ว ไม่ต้องจ่ายซ้ำ เงินไม่หาย ร้านถามต่อให้เอง และหน้านี้จะเปลี่ยนเมื่อรู้ผล
    </Note>
  )
}

interface OtherMethodsProps {
  methods: OfferedMethod[]
  amountSatang: Satang
  method: GatewayMethod
  onChoose: (method: GatewayMethod) => void
  /** Another way beside the gateway. */
  children?: ReactNode
}

/** The other methods that take this amount now. Choosing one ends what the buyer could pay by so far. */
export function OtherMethods({ methods, amountSatang, method, onChoose, children }: OtherMethodsProps) {
  const others = methods.flatMap(each =>
    isGatewayMethod(each.code) && each.code !== method && !findOffReason(each, amountSatang, null)
      ? [{ ...each, code: each.code }]
      : [],
  )
  if (others.length === 0 && !children) return null
  return (
    <section aria-label="จ่ายด้วยวิธีอื่น" className="mt-4">
      <p className="mb-2 text-ink-2 text-small">หรือจ่ายด้วย</p>
      <div className="flex flex-wrap gap-2">
        {others.map(({ code, name, terms }) => {
          const Icon = PAYMENT_LOOK[code].icon
          const surchargeSatang = terms ? surchargeOf(terms, amountSatang) : 0
          return (
            <Button key={code} kind="secondary" size="inline" icon={<Icon size={18} />} onClick={() => onChoose(code)}>
              {name}
              {surchargeSatang > 0 && ` (+${formatBaht(surchargeSatang)} บาท)`}
            </Button>
          )
        })}
        {children}
      </div>
    </section>
  )
}
