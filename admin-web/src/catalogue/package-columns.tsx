import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { PAYMENT_METHOD, PRICE_CODES, type PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { isOnSale } from '@shop/shared/catalogue/pricing.ts'
import { packageSaleOf, priceNotesOf } from '@shop/shared/catalogue/sale-state.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { Dropdown, type MenuProps, type TableColumnsType } from 'antd'
import { Ellipsis } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { RowLink } from '../ui/row-link.tsx'
import { soldAs } from './package-sale.ts'
import { placeOfPrices } from './place-of-prices.ts'
import { SaleChip } from './sale-chip.tsx'

/** The actions of a row. */
export type RowAction = 'edit' | 'prices' | 'explain' | 'copy'

/** A price in the table: what is paid now, and below it what it will be or why nobody pays it. */
function PriceCell(props: { sold: ManagedPackage; payment: PriceCode; now: Date; onOpen: () => void }) {
  const { sold, payment, now, onOpen } = props
  const row = soldAs(sold).prices.find(price => price.payment === payment)
  const isPriced = row && (row.priceSatang > 0 || row.nextPriceSatang !== null)
  const price = isPriced ? formatBahtShort(row.priceSatang) : 'ตั้งราคา'
  const notes = isPriced ? priceNotesOf(row, now) : []
  const isMuted = isPriced && !isOnSale(row, now)
  return (
    <>
      <button
        type="button"
        className={isMuted ? 'cell-button number is-muted' : 'cell-button number'}
        aria-label={['ราคาขายของ', sold.name, PAYMENT_METHOD[payment].name, price, ...notes].join(' ')}
        onClick={onOpen}
      >
        {price}
      </button>
      {notes.map(note => (
        <div key={note} className="note muted price-note">
          {note}
        </div>
      ))}
    </>
  )
}

type OnAction = (action: RowAction, sold: ManagedPackage) => void

/** A page has a hundred rows, so cells are drawn only once and use the browser's own buttons. */
export const packageColumns = (onAction: OnAction, now: Date): TableColumnsType<ManagedPackage> =>
  columnsWith(onAction, now).map(column => ({ ...column, shouldCellUpdate: (sold, drawn) => sold !== drawn }))

const columnsWith = (onAction: OnAction, now: Date): TableColumnsType<ManagedPackage> => [
  { title: 'ลำดับ', width: 64, align: 'right', className: 'number', dataIndex: 'no' },
  { title: 'รหัส', width: 76, align: 'right', className: 'number', dataIndex: 'id' },
  {
    title: 'ชื่อ',
    width: 180,
    render: (_, sold) => (
      <RowLink
        className="strong"
        to={placeOfPrices({ gameId: sold.gameId, packageId: sold.id, packageName: sold.name })}
        onOpen={() => onAction('prices', sold)}
      >
        {sold.name}
      </RowLink>
    ),
  },
  { title: 'คำอธิบาย', render: (_, { desc }) => desc || '–' },
  ...PRICE_CODES.map((payment): TableColumnsType<ManagedPackage>[number] => ({
    title: PAYMENT_METHOD[payment].name,
    width: 132,
    align: 'right',
    render: (_, sold) => <PriceCell sold={sold} payment={payment} now={now} onOpen={() => onAction('prices', sold)} />,
  })),
  {
    title: 'สถานะ',
    width: 132,
    render: (_, sold) => <SaleChip sale={packageSaleOf(soldAs(sold), now)} />,
  },
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
