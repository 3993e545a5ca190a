import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { Button, Dropdown, type TableColumnsType } from 'antd'
import { Ellipsis } from 'lucide-react'
import { StatusChip } from '../account/status-chip.tsx'
import { PaymentTag } from './payment-tag.tsx'

/** What can be opened from a row. */
export type RowAction = 'edit' | 'prices' | 'explain' | 'copy'

/** The sale price: one, or the lowest and the highest of those on sale; null while none is. */
function salePriceOf({ minPriceSatang: min, maxPriceSatang: max }: ManagedPackage): string | null {
  if (min === null || max === null) return null
  return min === max ? formatBahtShort(min) : `${formatBahtShort(min)} – ${formatBahtShort(max)}`
}

export const packageColumns = (
  onAction: (action: RowAction, sold: ManagedPackage) => void,
): TableColumnsType<ManagedPackage> => [
  { title: 'No', width: 64, align: 'right', render: (_, { no }) => <span className="number">{no}</span> },
  { title: 'Pack Id', width: 84, align: 'right', render: (_, { id }) => <span className="number">{id}</span> },
  { title: 'ชื่อ', width: 170, render: (_, { name }) => <span className="strong">{name}</span> },
  { title: 'คำอธิบาย', render: (_, { desc }) => desc || '-' },
  {
    title: 'ราคาขาย (บาท)',
    width: 150,
    align: 'right',
    render: (_, sold) => (
      <Button
        type="link"
        size="small"
        className="number"
        aria-label={`ราคาขายของ ${sold.name} ${salePriceOf(sold) ?? 'ยังไม่เปิดขาย'}`}
        onClick={() => onAction('prices', sold)}
      >
        {salePriceOf(sold) ?? 'ยังไม่เปิดขาย'}
      </Button>
    ),
  },
  {
    title: 'ช่องทางชำระเงิน',
    width: 190,
    render: (_, { payments }) => (
      <div className="tags">
        {payments.map(payment => (
          <PaymentTag key={payment} payment={payment} />
        ))}
        {payments.length === 0 && '-'}
      </div>
    ),
  },
  { title: 'สถานะ', width: 92, render: (_, { isActive }) => <StatusChip isActived={isActive} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    fixed: 'end',
    width: 112,
    render: (_, sold) => (
      <div className="row row-actions">
        <Button type="link" size="small" aria-label={`แก้ไข ${sold.name}`} onClick={() => onAction('edit', sold)}>
          แก้ไข
        </Button>
        <Dropdown
          trigger={['click']}
          autoFocus
          menu={{
            items: [
              { key: 'explain', label: 'ใครจ่ายเท่าไร' },
              { key: 'copy', label: 'คัดลอกราคาไปแพ็กเกจอื่น' },
            ] satisfies { key: RowAction; label: string }[],
            onClick: ({ key, domEvent }) => {
              // Enter would also press the button of the dialog that has the focus by then.
              domEvent.preventDefault()
              onAction(key as RowAction, sold)
            },
          }}
        >
          <Button
            type="text"
            size="small"
            icon={<Ellipsis size={18} aria-hidden />}
            aria-label={`ทำอย่างอื่นกับ ${sold.name}`}
          />
        </Dropdown>
      </div>
    ),
  },
]
