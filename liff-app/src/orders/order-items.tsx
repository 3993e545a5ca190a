import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { Amount } from '../ui/amount.tsx'

const headings = ['รายการ', 'จำนวน', 'ราคาต่อหน่วย', 'รวม']

/** What was bought, at which price, and what it came to. */
export function OrderItems({ order }: { order: OrderView }) {
  const { game, package: sold, quantity, priceSatang, tailSatang, amountSatang } = order
  return (
    <section aria-label="รายการสินค้า" className="mb-4 rounded-card border border-line p-4">
      <table className="w-full text-left text-small">
        <thead>
          <tr className="border-line border-b text-ink-2">
            {headings.map((heading, at) => (
              <th
                key={heading}
                scope="col"
                className={at === 0 ? 'pb-2 font-medium' : 'pb-2 pl-3 text-right font-medium'}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="align-top">
            <td className="py-2.5">
              <span className="font-semibold">
                {game.name} · {sold.name}
              </span>
              <span className="block text-ink-2 text-note">รหัสแพ็กเกจ {sold.id}</span>
            </td>
            <td className="py-2.5 pl-3 text-right tabular-nums">{quantity}</td>
            <td className="py-2.5 pl-3 text-right tabular-nums">{formatBaht(Math.round(priceSatang / quantity))}</td>
            <td className="py-2.5 pl-3 text-right tabular-nums">{formatBaht(priceSatang)}</td>
          </tr>
        </tbody>
      </table>
      <dl className="border-line border-t pt-2.5 text-value">
        {tailSatang > 0 && (
          <div className="flex justify-between gap-x-4 text-ink-2 text-small">
            <dt>เศษสตางค์สำหรับตรวจยอด</dt>
            <dd className="tabular-nums">{formatBaht(tailSatang)}</dd>
          </div>
        )}
        <div className="flex justify-between gap-x-4 font-semibold">
          <dt>ยอดรวมทั้งหมด</dt>
          <dd>
            <Amount satang={amountSatang} />
          </dd>
        </div>
      </dl>
    </section>
  )
}
