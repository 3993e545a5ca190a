import type { BenefitRow, listBenefits } from '@shop/shared/agent/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { Input, Switch, Table, type TableColumnsType, type TablePaginationConfig } from 'antd'
import { type KeyboardEvent, useMemo, useSyncExternalStore } from 'react'
import { NothingFound } from '../ui/nothing-found.tsx'
import { type Cell, type DiscountEdits, discountOf, keyOf, problemOf, savedCell } from './discount-edits.ts'

type Grid = Reply<typeof listBenefits>
type Tier = Grid['tiers'][number]

interface CellProps {
  edits: DiscountEdits
  row: BenefitRow
  tier: Tier
}

/** A cell as it stands now, and whether that differs from what is saved. The row's price is newer than the edit's. */
function useCell({ edits, row, tier }: CellProps): { cell: Cell; isChanged: boolean } {
  const saved = useMemo(() => savedCell(row, tier.id), [row, tier.id])
  const edit = useSyncExternalStore(edits.subscribe, () => edits.get(keyOf(saved)))
  return { cell: edit ? { ...edit, priceSatang: saved.priceSatang, saved: saved.saved } : saved, isChanged: !!edit }
}

const problemIdOf = (cell: Cell) => `problem-${keyOf(cell)}`

/** Enter and the arrow keys go up and down a tier's column, as in a spreadsheet. */
function moveInColumn(event: KeyboardEvent<HTMLInputElement>) {
  const step = { Enter: 'next', ArrowDown: 'next', ArrowUp: 'previous' }[event.key]
  if (!step) return
  event.preventDefault()
  const row = event.currentTarget.closest('tr')
  const other = step === 'next' ? row?.nextElementSibling : row?.previousElementSibling
  const input = other?.querySelector<HTMLInputElement>(`input[data-tier="${event.currentTarget.dataset.tier}"]`)
  input?.focus()
  input?.select()
}

function DiscountCell(props: CellProps) {
  const { edits, row, tier } = props
  const { cell, isChanged } = useCell(props)
  const problem = problemOf(cell)
  const change = (discountText: string) => {
    // A first discount where there was none is meant to hold.
    const isFirst = !isChanged && cell.saved.discountSatang === 0
    edits.put({ ...cell, discountText, isActived: cell.isActived || isFirst })
  }
  return (
    <div className={isChanged ? 'discount-cell is-changed' : 'discount-cell'}>
      <Input
        aria-label={`ส่วนลด ${tier.name} ของ ${row.game} ${row.package}`}
        aria-invalid={problem !== null}
        aria-describedby={problem ? problemIdOf(cell) : undefined}
        data-tier={tier.id}
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        status={problem ? 'error' : undefined}
        value={cell.discountText}
        onFocus={event => event.target.select()}
        onChange={event => change(event.target.value)}
        onKeyDown={moveInColumn}
      />
    </div>
  )
}

/** The price that is left; what is wrong with the discount stands in its place, so that no row grows. */
function PriceAfterCell(props: CellProps) {
  const { cell, isChanged } = useCell(props)
  const problem = problemOf(cell)
  const tint = isChanged ? 'is-changed' : ''
  if (problem !== null)
    return (
      <div id={problemIdOf(cell)} className={`discount-cell note discount-problem ${tint}`} role="alert">
        {problem}
      </div>
    )
  return (
    <div className={`discount-cell number ${tint} ${cell.isActived ? '' : 'muted'}`}>
      {formatBahtShort(cell.priceSatang - (discountOf(cell) ?? 0))}
    </div>
  )
}

function StatusCell(props: CellProps) {
  const { edits, row, tier } = props
  const { cell, isChanged } = useCell(props)
  return (
    <div className={isChanged ? 'discount-cell row is-changed' : 'discount-cell row'}>
      <Switch
        size="small"
        aria-label={`ใช้ส่วนลด ${tier.name} ของ ${row.game} ${row.package}`}
        checked={cell.isActived}
        onChange={isActived => edits.put({ ...cell, isActived })}
      />
      <span className={cell.isActived ? 'small' : 'small muted'}>{cell.isActived ? 'ใช้งาน' : 'ไม่ใช้งาน'}</span>
    </div>
  )
}

/** Game, package and price stay at the left; each tier has three columns, 400 px together. */
function columnsOf(tiers: Tier[], edits: DiscountEdits): TableColumnsType<BenefitRow> {
  return [
    { title: 'เกม', fixed: 'start', width: 150, dataIndex: 'game' },
    { title: 'แพ็กเกจ', fixed: 'start', width: 170, render: (_, row) => <span className="strong">{row.package}</span> },
    {
      title: 'ราคาขาย',
      fixed: 'start',
      width: 96,
      align: 'right',
      render: (_, row) => <span className="number">{formatBahtShort(row.priceSatang)}</span>,
    },
    ...tiers.map((tier): TableColumnsType<BenefitRow>[number] => ({
      title: tier.name,
      className: 'tier-start',
      children: [
        {
          title: 'ส่วนลด (บาท)',
          width: 140,
          className: 'tier-start',
          render: (_, row) => <DiscountCell edits={edits} row={row} tier={tier} />,
        },
        {
          title: 'ราคาหลังส่วนลด',
          width: 130,
          align: 'right',
          render: (_, row) => <PriceAfterCell edits={edits} row={row} tier={tier} />,
        },
        { title: 'สถานะ', width: 130, render: (_, row) => <StatusCell edits={edits} row={row} tier={tier} /> },
      ],
    })),
  ]
}

const LEFT_WIDTH = 416
const TIER_WIDTH = 400

export function DiscountGrid(props: {
  data: Grid | undefined
  edits: DiscountEdits
  isLoading: boolean
  emptyText: string
  pagination: TablePaginationConfig
}) {
  const { data, edits, isLoading, emptyText, pagination } = props
  const tiers = data?.tiers
  const columns = useMemo(() => columnsOf(tiers ?? [], edits), [tiers, edits])
  return (
    <Table<BenefitRow>
      className="discounts"
      rowKey="packageId"
      dataSource={data?.rows}
      columns={columns}
      loading={isLoading}
      scroll={{ x: LEFT_WIDTH + TIER_WIDTH * (tiers?.length ?? 0) }}
      tableLayout="fixed"
      locale={{ emptyText: data ? <NothingFound text={emptyText} /> : ' ' }}
      pagination={pagination}
    />
  )
}
