import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { Dropdown, type MenuProps, type TableColumnsType } from 'antd'
import { Ellipsis } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { StatusChip } from '../account/status-chip.tsx'
import { PaymentTag } from './payment-tag.tsx'

/** The actions of a row. */
export type RowAction = 'edit' | 'prices' | 'explain' | 'copy'

/** Returns the sale price: one, or the lowest and highest of those on sale; null while none is. */
function salePriceOf({ minPriceSatang: min, maxPriceSatang: max }: ManagedPackage): string | null {
  if (min === null || max === null) return null
  return min === max ? formatBahtShort(min) : `${formatBahtShort(min)} – ${formatBahtShort(max)}`
}

type OnAction = (action: RowAction, sold: ManagedPackage) => void

/** A page has a hundred rows, so cells are drawn only once and use the browser's own buttons. */
export const packageColumns = (onAction: OnAction): TableColumnsType<ManagedPackage> =>
  columnsWith(onAction).map(column => ({ ...column, shouldCellUpdate: (sold, drawn) => sold !== drawn }))

const columnsWith = (onAction: OnAction): TableColumnsType<ManagedPackage> => [
  { title: 'ลำดับ', width: 64, align: 'right', className: 'number', dataIndex: 'no' },
  { title: 'รหัสแพ็กเกจ', width: 110, align: 'right', className: 'number', dataIndex: 'id' },
  { title: 'ชื่อ', width: 200, render: (_, { name }) => <span className="strong">{name}</span> },
  { title: 'คำอธิบาย', render: (_, { desc }) => desc || '-' },
  {
    title: 'ราคาขาย (บาท)',
    width: 140,
    align: 'right',
    render: (_, sold) => (
      <button
        type="button"
        className="cell-button number"
        aria-label={`ราคาขายของ ${sold.name} ${salePriceOf(sold) ?? 'ยังไม่เปิดขาย'}`}
        onClick={() => onAction('prices', sold)}
      >
        {salePriceOf(sold) ?? 'ยังไม่เปิดขาย'}
      </button>
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
        <button
          type="button"
          className="cell-button"
          aria-label={`แก้ไข ${sold.name}`}
          onClick={() => onAction('edit', sold)}
        >
          แก้ไข
        </button>
        <RowMenu sold={sold} onAction={onAction} />
      </div>
    ),
  },
]

const ROW_MENU = [
  { key: 'explain', label: 'ใครจ่ายเท่าไร' },
  { key: 'copy', label: 'คัดลอกราคาไปแพ็กเกจอื่น' },
] satisfies { key: RowAction; label: string }[]

/** Shows more actions of a row; the menu is created when it is first opened. */
function RowMenu({ sold, onAction }: { sold: ManagedPackage; onAction: OnAction }) {
  const [isMade, setIsMade] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // The focused element is gone (the button without a menu, or the menu), so the focus moves here.
  useEffect(() => {
    const { activeElement, body } = document
    const isLost = activeElement === body || (!isOpen && activeElement?.closest('.ant-dropdown'))
    if (isMade && isLost) button.current?.focus()
  }, [isMade, isOpen])
  const open = () => {
    setIsMade(true)
    setIsOpen(true)
  }
  const drawn = (
    <button
      ref={button}
      type="button"
      className="cell-button is-icon"
      aria-label={`ทำอย่างอื่นกับ ${sold.name}`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={isMade ? undefined : open}
    >
      <Ellipsis size={18} aria-hidden />
    </button>
  )
  if (!isMade) return drawn
  const menu: MenuProps = {
    items: ROW_MENU,
    onClick: ({ key, domEvent }) => {
      // Otherwise the same Enter would press the button that the dialog focuses.
      domEvent.preventDefault()
      onAction(key as RowAction, sold)
    },
  }
  return (
    <Dropdown trigger={['click']} autoFocus open={isOpen} onOpenChange={setIsOpen} menu={menu}>
      {drawn}
    </Dropdown>
  )
}
