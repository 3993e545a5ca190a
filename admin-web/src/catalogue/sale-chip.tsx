import { type SaleState, saleGapText } from '@shop/shared/catalogue/sale-state.ts'

/** Says whether the shop sells something, or what it still needs. What is off by choice is no warning. */
export function SaleChip({ sale: { gap, fromDay } }: { sale: SaleState }) {
  if (!gap) return <span className="tag is-ok">ขายอยู่</span>
  const isOff = gap === 'gameOff' || gap === 'packageOff'
  return <span className={isOff ? 'tag' : 'tag is-warn'}>{saleGapText(gap, fromDay)}</span>
}
