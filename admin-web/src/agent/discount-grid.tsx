import type { BenefitRow } from '@shop/shared/agent/endpoints.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { App, Input, Switch, Table, type TableColumnsType, type TablePaginationConfig } from 'antd'
import { type ClipboardEvent, type KeyboardEvent, useMemo, useSyncExternalStore } from 'react'
import { NothingFound } from '../ui/nothing-found.tsx'
import {
  type Cell,
  cellOf,
  type DiscountEdits,
  discountOf,
  type Grid,
  isFreeCell,
  keyOf,
  problemOf,
  type Tier,
  typedInto,
} from './discount-edits.ts'
import { fill, paste, readCells, rowsBelow } from './discount-fill.ts'
import { FillBar } from './fill-bar.tsx'

interface CellProps {
  edits: DiscountEdits
  data: Grid
  row: BenefitRow
  tier: Tier
}

/** Returns the current cell, and whether it differs from what is saved. */
function useCell({ edits, row, tier }: CellProps): { cell: Cell; isChanged: boolean } {
  const place = keyOf({ packageId: row.packageId, tierId: tier.id })
  const edit = useSyncExternalStore(edits.subscribe, () => edits.get(place))
  return { cell: cellOf(edits, row, tier.id), isChanged: edit !== undefined }
}

const problemIdOf = (cell: Cell) => `problem-${keyOf(cell)}`

/** Enter and the arrow keys move up and down a tier's column, as in a spreadsheet. */
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
  const { edits, data, row, tier } = props
  const { cell, isChanged } = useCell(props)
  const { message } = App.useApp()
  const problem = problemOf(cell)
  const takePasted = (event: ClipboardEvent<HTMLInputElement>) => {
    const cells = readCells(event.clipboardData.getData('text/plain'))
    if (!cells) return
    event.preventDefault()
    message.info(`วางแล้ว ${paste(edits, data, cell, cells)} ช่อง`)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') {
      event.preventDefault()
      message.info(`เติมแล้ว ${fill(edits, row, tier.id, rowsBelow(data, row.packageId))} ช่อง`)
    } else moveInColumn(event)
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
        onFocus={event => {
          event.target.select()
          edits.setCurrent(cell)
        }}
        onChange={event => edits.put(typedInto(cell, event.target.value))}
        onPaste={takePasted}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

/** Shows the remaining price, or in its place what is wrong with the discount, so that no row grows. */
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
  const leftSatang = cell.priceSatang - (discountOf(cell) ?? 0)
  return (
    <div className={`discount-cell number ${tint} ${cell.isActived ? '' : 'muted'}`}>
      {isFreeCell(cell) ? <span className="tag is-warn">ฟรี</span> : formatBahtShort(leftSatang)}
      <Margin leftSatang={leftSatang} costSatang={props.row.costSatang} />
    </div>
  )
}

/** Shows what the shop earns by a sale at this price; nothing when the cost is unknown. */
function Margin({ leftSatang, costSatang }: { leftSatang: number; costSatang: number | null }) {
  if (costSatang === null) return null
  const margin = leftSatang - costSatang
  const percent = leftSatang > 0 ? ` (${Math.round((margin / leftSatang) * 100)}%)` : ''
  const text = `${formatBahtShort(Math.abs(margin))}${percent}`
  return margin < 0 ? <div className="note is-loss">ขาดทุน {text}</div> : <div className="note muted">กำไร {text}</div>
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
    </div>
  )
}

/** Package and price stay visible at the left; each tier has three columns, together 324 px wide. */
function columnsOf(data: Grid | undefined, edits: DiscountEdits): TableColumnsType<BenefitRow> {
  return [
    {
      title: 'แพ็กเกจ',
      fixed: 'start',
      width: 190,
      render: (_, row, index) => (
        <>
          {/* The name of the game stands once, above its first package. */}
          <div className={data?.rows[index - 1]?.gameId === row.gameId ? 'sr-only' : 'note muted'}>{row.game}</div>
          <span className="strong">{row.package}</span>
        </>
      ),
    },
    {
      title: 'ราคา Wallet',
      fixed: 'start',
      width: 96,
      align: 'right',
      className: 'number',
      render: (_, row) => formatBahtShort(row.priceSatang),
    },
    ...(data?.tiers ?? []).map((tier): TableColumnsType<BenefitRow>[number] => {
      const propsOf = (row: BenefitRow): CellProps => ({ edits, data: data!, row, tier })
      return {
        title: tier.name,
        className: 'tier-start',
        children: [
          {
            title: 'ส่วนลด (บาท หรือ %)',
            width: 140,
            className: 'tier-start',
            render: (_, row) => <DiscountCell {...propsOf(row)} />,
          },
          {
            title: 'ราคาหลังส่วนลด',
            width: 124,
            align: 'right',
            render: (_, row) => <PriceAfterCell {...propsOf(row)} />,
          },
          { title: 'ใช้', width: 60, render: (_, row) => <StatusCell {...propsOf(row)} /> },
        ],
      }
    }),
  ]
}

const LEFT_WIDTH = 286
const TIER_WIDTH = 324
/** The table's head stops below the bar; agent.css must have the same height. */
const FILL_BAR_HEIGHT = 45

export function DiscountGrid(props: {
  data: Grid | undefined
  edits: DiscountEdits
  isLoading: boolean
  emptyText: string
  pagination: TablePaginationConfig
}) {
  const { data, edits, isLoading, emptyText, pagination } = props
  const columns = useMemo(() => columnsOf(data, edits), [data, edits])
  return (
    <>
      {data && data.rows.length > 0 && <FillBar edits={edits} data={data} />}
      <Table<BenefitRow>
        className="discounts"
        rowKey="packageId"
        dataSource={data?.rows}
        columns={columns}
        loading={isLoading}
        scroll={{ x: LEFT_WIDTH + TIER_WIDTH * (data?.tiers.length ?? 0) }}
        sticky={{ offsetHeader: FILL_BAR_HEIGHT }}
        tableLayout="fixed"
        locale={{ emptyText: data ? <NothingFound text={emptyText} /> : ' ' }}
        pagination={pagination}
      />
    </>
  )
}
