import type { changePriceRules } from '@shop/shared/cost/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht, formatBahtShort } from '@shop/shared/money.ts'
import { Table, type TableColumnsType } from 'antd'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import type { RuleChange } from './use-rule-change.ts'

type RepricedPackage = Reply<typeof changePriceRules>['rows'][number]
type Cell = RepricedPackage['cells'][number]

/** "149 → 155" with what one piece earns then. */
function CellView({ cell, costSatang }: { cell: Cell | undefined; costSatang: number | null }) {
  if (!cell) return <span className="muted">–</span>
  const { beforeSatang, afterSatang } = cell
  const margin = costSatang === null ? null : afterSatang - costSatang
  return (
    <>
      <div className="number">
        {beforeSatang === afterSatang ? (
          formatBahtShort(afterSatang)
        ) : (
          <>
            <span className="muted">{formatBahtShort(beforeSatang)} →</span>{' '}
            <b className="strong">{formatBahtShort(afterSatang)}</b>
          </>
        )}
      </div>
      {margin !== null && (
        <div className={`note number ${margin < 0 ? 'is-bad' : 'muted'}`}>
          {margin < 0 ? 'ขาดทุน' : 'กำไร'} {formatBaht(Math.abs(margin))}
        </div>
      )}
    </>
  )
}

const columnsOf = (targets: readonly { target: string; label: string }[]): TableColumnsType<RepricedPackage> => [
  { title: 'แพ็กเกจ', render: (_, { name }) => <span className="strong breakable">{name}</span> },
  {
    title: 'ต้นทุน (บาท)',
    align: 'right',
    width: 130,
    className: 'number',
    render: (_, { costSatang }) => (costSatang === null ? 'ไม่ทราบ' : formatBaht(costSatang)),
  },
  ...targets.map(({ target, label }) => ({
    title: label,
    width: 170,
    render: (_: unknown, { cells, costSatang }: RepricedPackage) => (
      <CellView cell={cells.find(cell => cell.target === target)} costSatang={costSatang} />
    ),
  })),
  {
    title: 'หมายเหตุ',
    width: 220,
    render: (_, { problem, needsSecond }) =>
      problem ? (
        <span className="is-warn">ไม่เปลี่ยน {problem}</span>
      ) : (
        needsSecond && <span className="is-bad">ยังขาดทุน ต้องมีผู้จัดการอีกคนยืนยัน</span>
      ),
  },
]

/** Shows what the rules would make of each package of the game. */
export function RulePreview(props: { change: RuleChange; targets: readonly { target: string; label: string }[] }) {
  const { change, targets } = props
  const { preview } = change
  if (preview.isError && !preview.data) return <LoadError error={preview.error} onRetry={() => preview.refetch()} />
  return (
    <Table<RepricedPackage>
      rowKey="id"
      size="small"
      aria-label="ตัวอย่างราคาตามกฎ"
      dataSource={preview.data?.rows}
      columns={columnsOf(targets)}
      loading={preview.isFetching}
      scroll={{ x: 560 + targets.length * 170 }}
      locale={{ emptyText: preview.isFetching ? ' ' : <NothingFound text="เกมนี้ยังไม่มีแพ็กเกจ" /> }}
      pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true }}
    />
  )
}
