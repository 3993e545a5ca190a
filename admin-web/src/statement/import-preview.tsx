import { formatBaht } from '@shop/shared/money.ts'
import type { StatementPreview } from '@shop/shared/statement/import-endpoints.ts'
import { formatDay } from '@shop/web/dates.ts'
import { Alert, Button, Table, type TableColumnsType } from 'antd'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Check } from '../ui/check.tsx'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'

type Line = StatementPreview['lines'][number]
type Problem = StatementPreview['problems'][number]

const count = (number: number) => number.toLocaleString('en-US')

/** Shows what an import would do, the checks of the file, and what in it can't be read. */
export function ImportPreview(props: { preview: StatementPreview; onAccount: (id: number) => void }) {
  const { preview, onAccount } = props
  const { layout, counts, inSatang, outSatang, fromDay, toDay, lines, problems, stranger, checks } = preview
  const period = fromDay && toDay && `${formatDay(fromDay)} – ${formatDay(toDay)}`
  const figures: [string, number, string][] = [
    ['ใหม่', counts.fresh, 'is-ok'],
    ['มีอยู่แล้ว', counts.known, ''],
    ['อ่านไม่ได้', counts.unreadable, counts.unreadable > 0 ? 'is-bad' : ''],
  ]
  if (stranger) return <Stranger stranger={stranger} onAccount={onAccount} />
  return (
    <div className="preview">
      <p className="small muted">
        {[layout ?? 'คอลัมน์ที่เลือกเอง', period, `เงินเข้า ฿${formatBaht(inSatang)}`, `เงินออก ฿${formatBaht(outSatang)}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <dl className="figures">
        {figures.map(([label, number, tone]) => (
          <div key={label}>
            <dt className="small muted">{label}</dt>
            <dd className={`number ${tone}`}>{count(number)}</dd>
          </div>
        ))}
      </dl>
      {checks.length > 0 && (
        <ul className="checks" aria-label="ผลตรวจไฟล์">
          {checks.map(({ ok, text }) => (
            <Check key={text} tone={ok ? 'ok' : 'warn'} icon={ok ? CircleCheck : TriangleAlert}>
              <span className="sr-only">{ok ? 'ผ่าน: ' : 'ควรตรวจ: '}</span>
              {text}
            </Check>
          ))}
        </ul>
      )}
      {problems.length > 0 && <ProblemList problems={problems} count={counts.unreadable} />}
      <PreviewLines lines={lines} pageSize={problems.length > 0 ? 4 : 8} />
    </div>
  )
}

/** Says whose file it is, and offers the account that it names. */
function Stranger(props: { stranger: NonNullable<StatementPreview['stranger']>; onAccount: (id: number) => void }) {
  const { stranger, onAccount } = props
  const owner = useStatementAccounts().data?.find(({ id }) => id === stranger.receivingAccountId)
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title="ไฟล์นี้ไม่ใช่ของบัญชีที่เลือก ยังไม่มีอะไรถูกบันทึก"
      description={stranger.message}
      action={
        owner && (
          <Button type="primary" onClick={() => onAccount(owner.id)}>
            ใช้บัญชี {nameOfAccount(owner)}
          </Button>
        )
      }
    />
  )
}

const pagination = { showSizeChanger: false, hideOnSinglePage: true }

const problemColumns: TableColumnsType<Problem> = [
  { title: 'แถว', width: 80, align: 'right', dataIndex: 'rowNumber' },
  { title: 'คอลัมน์', width: 160, render: (_, { column }) => column ?? 'ทั้งแถว' },
  { title: 'ปัญหา', render: (_, { message }) => <span className="breakable">{message}</span> },
]

/** What can't be read, by row and column; `problems` holds at most the first hundred of `count`. */
export function ProblemList({ problems, count: all }: { problems: readonly Problem[]; count: number }) {
  const rest = all - problems.length
  return (
    <>
      <Alert
        type="error"
        showIcon
        role="alert"
        title={`พบปัญหา ${count(Math.max(all, problems.length))} จุด ยังนำเข้าไม่ได้ แก้ไฟล์หรือเลือกคอลัมน์ใหม่`}
      />
      <Table<Problem>
        size="small"
        aria-label="ปัญหาในไฟล์"
        rowKey={({ rowNumber, column, message }) => `${rowNumber}/${column}/${message}`}
        dataSource={problems}
        columns={problemColumns}
        pagination={{ ...pagination, pageSize: 5 }}
      />
      {rest > 0 && <p className="note muted">และอีก {count(rest)} จุด</p>}
    </>
  )
}

const lineColumns: TableColumnsType<Line> = [
  { title: 'แถว', width: 64, align: 'right', dataIndex: 'rowNumber' },
  {
    title: 'วันเวลา',
    width: 170,
    render: (_, { day, time }) => (
      <span className="number">
        {formatDay(day)} {time ?? <span className="muted">ไม่มีเวลา</span>}
      </span>
    ),
  },
  {
    title: 'จำนวนเงิน (บาท)',
    width: 140,
    align: 'right',
    render: (_, { amountSatang }) => <span className="number strong">{formatBaht(amountSatang)}</span>,
  },
  {
    title: 'ยอดคงเหลือ',
    width: 130,
    align: 'right',
    render: (_, { balanceSatang }) => (
      <span className="number">{balanceSatang === null ? '–' : formatBaht(balanceSatang)}</span>
    ),
  },
  {
    title: 'รายละเอียด',
    render: (_, { detail, isKnown }) => (
      <span className="breakable">
        {detail} {isKnown && <span className="tag">มีอยู่แล้ว</span>}
      </span>
    ),
  },
]

/** The lines as the server understood them. */
export function PreviewLines({ lines, pageSize }: { lines: readonly Line[]; pageSize: number }) {
  return (
    <Table<Line>
      size="small"
      aria-label="รายการที่อ่านได้"
      rowKey="rowNumber"
      dataSource={lines}
      columns={lineColumns}
      scroll={{ x: 680 }}
      locale={{ emptyText: 'ไม่มีรายการที่อ่านได้' }}
      pagination={{ ...pagination, pageSize }}
    />
  )
}
