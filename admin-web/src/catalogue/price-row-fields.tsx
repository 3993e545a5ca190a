import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { formatBahtShort, type Satang } from '@shop/shared/money.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { dayAfter } from '@shop/web/dates.ts'
import { Button, Switch } from 'antd'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useState } from 'react'
import { DayInput } from '../ui/day-input.tsx'
import { BahtInput } from './baht-input.tsx'
import { marginOf } from './delivery-draft.ts'
import { PaymentTag } from './payment-tag.tsx'
import { faultOf, type TypedPrice, typedInto } from './price-rows.ts'

/** Edits the price for one payment method and, in a second row, the price that replaces it. */
export function PriceRowFields(props: {
  row: TypedPrice
  /** The saved prices of the package. */
  prices: readonly PriceEdit[]
  /** The cost of one piece; null when unknown. */
  costSatang: Satang | null
  problem: string | undefined
  now: Date
  onChange: (row: TypedPrice) => void
  onEnter: () => void
}) {
  const { row, prices, costSatang, problem, now, onChange, onEnter } = props
  const { payment, price, startDay, endDay, isActive, nextPrice, nextDay } = row
  const [isOpen, setIsOpen] = useState(nextPrice !== '' || nextDay !== null)
  const id = useId()
  const name = PAYMENT_METHOD[payment].name
  const today = bangkokDay(now)
  // A refusal by the server alone names no field, so it is shown at the price.
  const wrong = problem === undefined ? undefined : (faultOf(row, prices, now)?.at ?? 'priceSatang')
  const markOf = (field: keyof PriceEdit) => ({
    isInvalid: wrong === field,
    describedBy: wrong === field ? id : undefined,
  })
  const isNextShown = isOpen || wrong === 'nextPriceSatang' || wrong === 'nextDay'
  const change = (some: Partial<TypedPrice>) => onChange({ ...row, ...some })
  return (
    <tbody aria-label={name} className={problem && 'is-wrong'}>
      <tr>
        <td>
          <PaymentTag payment={payment} />
        </td>
        <td>
          <BahtInput
            label={`ราคา ${name}`}
            text={price}
            {...markOf('priceSatang')}
            onChange={text => onChange(typedInto(row, text, prices))}
            onEnter={onEnter}
          />
        </td>
        <td>
          <Margin price={price} costSatang={costSatang} />
        </td>
        <td>
          <DayInput
            label={`วันเริ่มจำหน่าย ${name}`}
            {...markOf('startDay')}
            day={startDay}
            min={today}
            onChange={day => change({ startDay: day })}
          />
        </td>
        <td>
          <DayInput
            label={`วันหมดอายุ ${name}`}
            none="ไม่มีกำหนด"
            {...markOf('endDay')}
            day={endDay}
            min={startDay !== null && startDay > today ? startDay : today}
            onChange={day => change({ endDay: day })}
          />
        </td>
        <td>
          <Switch aria-label={`เปิดขาย ${name}`} checked={isActive} onChange={to => change({ isActive: to })} />
        </td>
        <td>
          <Button
            type="text"
            size="small"
            icon={isNextShown ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
            iconPlacement="end"
            aria-expanded={isNextShown}
            aria-label={`ราคาล่วงหน้า ${name}`}
            onClick={() => setIsOpen(!isNextShown)}
          >
            ราคาล่วงหน้า
          </Button>
        </td>
      </tr>
      {problem && (
        <tr>
          <td />
          <td colSpan={6}>
            <div id={id} className="field-error" role="alert">
              {problem}
            </div>
          </td>
        </tr>
      )}
      {isNextShown && (
        <tr>
          <td className="small muted">ราคาล่วงหน้า</td>
          <td>
            <BahtInput
              label={`ราคาล่วงหน้า ${name} (บาท)`}
              text={nextPrice}
              {...markOf('nextPriceSatang')}
              onChange={text => change({ nextPrice: text })}
              onEnter={onEnter}
            />
          </td>
          <td>
            <Margin price={nextPrice} costSatang={costSatang} />
          </td>
          <td>
            <DayInput
              label={`วันเริ่มราคาล่วงหน้า ${name}`}
              {...markOf('nextDay')}
              day={nextDay}
              min={dayAfter(now)}
              onChange={day => change({ nextDay: day })}
            />
          </td>
          <td colSpan={3} className="small muted">
            ใช้แทนราคาเดิมตั้งแต่ 00:00 น. ของวันนั้น
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** Shows what remains of a price after the cost; a loss is red. */
function Margin({ price, costSatang }: { price: string; costSatang: Satang | null }) {
  const margin = marginOf(parseBaht(price), costSatang)
  if (!margin) return <span className="muted">–</span>
  const { marginSatang, percent } = margin
  return (
    <span className={marginSatang < 0 ? 'margin is-loss' : 'margin'}>
      <span className="number">{formatBahtShort(marginSatang)}</span>
      <span className="note number"> ({percent < 0 ? `−${-percent}` : percent}%)</span>
      {marginSatang < 0 && <span className="sr-only"> ขาดทุน</span>}
    </span>
  )
}
