import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { SALE_CHANNEL } from '@shop/shared/dashboard/channel.ts'
import { formatStep } from '@shop/web/dates.ts'
import { Tag } from 'antd'
import { type HistoryFilters, isOfSale, NO_SALE } from './history-filters.ts'

/** Says which number of the sales dashboard the list is made of; closing it shows the list without. */
export function SaleNote(props: {
  filters: HistoryFilters
  /** A row of the list, which knows the names of what is filtered. */
  row: { packageName: string; buyerName: string | null } | undefined
  onChange: (some: Partial<HistoryFilters>) => void
}) {
  const { filters, row, onChange } = props
  if (!isOfSale(filters)) return null
  const { paidFrom, paidTo, package: packages, payment, channel, buyer } = filters
  const days = [...new Set([paidFrom, paidTo])].flatMap(day => (day ? formatStep(day) : []))
  const parts = [
    days.length > 0 && `ชำระ ${days.join(' – ')}`,
    packages.length > 0 && (row?.packageName ?? 'แพ็กเกจเดียว'),
    payment[0] && PAYMENT_METHOD[payment[0]].name,
    channel[0] && SALE_CHANNEL[channel[0]].label,
    buyer !== '' && (row?.buyerName ?? 'ผู้ซื้อรายเดียว'),
  ].filter(Boolean)
  return (
    <Tag color="blue" closable={{ 'aria-label': 'เลิกจำกัดตามยอดขาย' }} onClose={() => onChange(NO_SALE)}>
      {parts.join(' · ')}
    </Tag>
  )
}
