import { type GatewayMethod, isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { WifiOff } from 'lucide-react'
import { findOffReason, type OfferedMethod } from '../settings/limits.ts'
import { PAYMENT_LOOK } from '../settings/payment-methods.tsx'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { useOnline } from '../ui/use-online.ts'

/** What is said while this device can't hear whether the money came. */
export function Offline() {
  if (useOnline()) return null
  return (
    <Note className="mt-3" kind="warn" icon={WifiOff} role="status">
      ออฟไลน์อยู่ หากจ่ายแล้ว ไม่ต้องจ่ายซ้ำ ระบบจะอัปเดตเมื่อกลับมาออนไลน์
    </Note>
  )
}

interface OtherMethodsProps {
  methods: OfferedMethod[]
  amountSatang: Satang
  method: GatewayMethod
  onChoose: (method: GatewayMethod) => void
}

/** The other methods of the gateway that take this amount now. Choosing one ends what the buyer could pay by so far. */
export function OtherMethods({ methods, amountSatang, method, onChoose }: OtherMethodsProps) {
  const others = methods.flatMap(each =>
    isGatewayMethod(each.code) && each.code !== method && !findOffReason(each, amountSatang, null)
      ? [{ ...each, code: each.code }]
      : [],
  )
  if (others.length === 0) return null
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
      </div>
    </section>
  )
}
