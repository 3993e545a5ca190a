import type { Stock } from '@shop/shared/voucher/endpoints.ts'
import type { TableColumnsType } from 'antd'

type Counts = Pick<Stock, 'free' | 'expired' | 'reserved' | 'sold' | 'withdrawn'>

export const count = (number: number): string => number.toLocaleString('en-US')

/** How many codes a package or a batch has in each state. */
export function countColumns<Row extends Counts>(): TableColumnsType<Row> {
  const column = (title: string, of: (row: Row) => number) => ({
    title,
    align: 'right' as const,
    width: 96,
    render: (_: unknown, row: Row) => <span className="number">{count(of(row))}</span>,
  })
  return [
    {
      title: 'พร้อมขาย',
      align: 'right',
      width: 110,
      render: (_, { free, expired }) => (
        <>
          <div className="number strong">{count(free)}</div>
          {expired > 0 && <div className="note is-bad">หมดอายุ {count(expired)}</div>}
        </>
      ),
    },
    column('จองแล้ว', row => row.reserved),
    column('ขายแล้ว', row => row.sold),
    column('ถอนแล้ว', row => row.withdrawn),
  ]
}
