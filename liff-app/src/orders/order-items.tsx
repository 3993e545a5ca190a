import { unitPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { Amount } from '../ui/amount.tsx'

const headings = ['ลำดับ', 'รายการ', 'จำนวน', 'ราคาต่อหน่วย', 'รวม']

/** A cell with a number. With large text it becomes a line of its own, named after its column. */
const Cell = ({ label, children }: { label: string; children: string | number }) => (
  <td
    data-label={label}
    className="py-2.5 pl-3 text-right tabular-nums @max-[15rem]:flex @max-[15rem]:flex-wrap @max-[15rem]:justify-between @max-[15rem]:gap-x-3 @max-[15rem]:py-0.5 @max-[15rem]:pl-0 @max-[15rem]:before:text-ink-2 @max-[15rem]:before:content-[attr(data-label)]"
  >
    {children}
  </td>
)

/** What was bought, at which price, and the sum. */
export function OrderItems({ order }: { order: OrderView }) {
  const { game, package: sold, quantity, priceSatang, tailSatang, amountSatang } = order
  return (
    <section aria-label="รายการสินค้า" className="mb-4 rounded-card border border-line p-4">
      <table className="w-full text-left text-small @max-[15rem]:block">
        <thead className="@max-[15rem]:sr-only">
          <tr className="border-line border-b text-ink-2">
            {headings.map((heading, at) => (
              <th
                key={heading}
                scope="col"
                className={at < 2 ? 'pr-3 pb-2 font-medium' : 'pb-2 pl-3 text-right font-medium'}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@max-[15rem]:block">
          <tr className="align-top @max-[15rem]:block @max-[15rem]:pb-2">
            <td className="py-2.5 tabular-nums @max-[15rem]:hidden">1</td>
            <td className="py-2.5 @max-[15rem]:block @max-[15rem]:pt-0">
              <span className="font-semibold">
                {game.name} · {sold.name}
              </span>
              <span className="block text-ink-2 text-note">รหัสแพ็กเกจ {sold.id}</span>
            </td>
            <Cell label="จำนวน">{quantity}</Cell>
            <Cell label="ราคาต่อหน่วย">{formatBaht(unitPriceOf(order))}</Cell>
            <Cell label="รวม">{formatBaht(priceSatang)}</Cell>
          </tr>
        </tbody>
      </table>
      <dl className="border-line border-t pt-2.5 text-value">
        {tailSatang > 0 && (
          <div className="flex flex-wrap justify-between gap-x-4 text-ink-2 text-small">
            <dt>เศษสตางค์สำหรับตรวจยอด</dt>
            <dd className="tabular-nums">{formatBaht(tailSatang)}</dd>
          </div>
        )}
        <div className="flex flex-wrap justify-between gap-x-4 font-semibold">
          <dt>ยอดรวมทั้งหมด</dt>
          <dd>
            <Amount satang={amountSatang} />
          </dd>
        </div>
      </dl>
    </section>
  )
}
