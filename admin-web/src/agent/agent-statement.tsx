import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import { exportAgentStatement, getAgentStatement } from '@shop/shared/wallet/agent-endpoints.ts'
import type { WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import { formatDateTimeSeconds, formatMonth } from '@shop/web/dates.ts'
import { exportNameOf, saveFile } from '@shop/web/files.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button, Table, type TableColumnsType } from 'antd'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { pageOf } from '../audit/subject-page.tsx'
import { MonthFilter } from '../ui/filter-bar.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { TwoLines } from '../ui/two-lines.tsx'

type StatementRow = WalletStatement['rows'][number]

/** Where the order or the top-up of a row stands. */
const placeOf = ({ no, actionType }: StatementRow): string =>
  pageOf(actionType === 'เติมเกม' ? 'order' : 'topUp', no, no)

const columns: TableColumnsType<StatementRow> = [
  {
    title: 'วันเวลา / เลขที่',
    width: 170,
    render: (_, row) => (
      <TwoLines note={row.no && <RowLink to={placeOf(row)}>{row.no}</RowLink>}>
        <span className="number small">{formatDateTimeSeconds(row.at)}</span>
      </TwoLines>
    ),
  },
  {
    title: 'รายการ',
    render: (_, { actionType, transType, detail }) => (
      <TwoLines note={detail}>{`${actionType} · ${transType}`}</TwoLines>
    ),
  },
  {
    title: 'จำนวนเงิน (บาท)',
    width: 132,
    align: 'right',
    render: (_, { amountSatang }) => (
      <span className={amountSatang > 0 ? 'number strong is-ok' : 'number strong'}>
        {amountSatang > 0 && '+'}
        {formatBaht(amountSatang)}
      </span>
    ),
  },
  {
    title: 'คงเหลือ (บาท)',
    width: 124,
    align: 'right',
    render: (_, { balanceSatang }) => <span className="number muted">{formatBaht(balanceSatang)}</span>,
  },
]

/** What moved on the agent's wallet in a month, latest first, between its opening and its closing balance. */
export function AgentStatement({ uid }: { uid: string }) {
  const client = useClient()
  const { message } = App.useApp()
  const [month, setMonth] = useState(() => bangkokMonthOf(new Date()))
  const params = { uid, month }
  const statement = useSteadyQuery(client.query(getAgentStatement, { params }))
  const download = useMutation({
    mutationFn: () => client.call(exportAgentStatement, { params }),
    onSuccess: (file: Blob) => saveFile(file, exportNameOf(new Date(), formatMonth(month))),
    onError: error => message.error({ content: `ดาวน์โหลดไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
  })
  const { data } = statement
  const isLoading = statement.isPending || statement.isPlaceholderData
  return (
    <section className="card list" aria-label="ใบแจ้งยอด" aria-busy={isLoading}>
      <header>
        <h2 className="grow">ใบแจ้งยอด</h2>
        <MonthFilter month={month} onChange={next => setMonth(next ?? bangkokMonthOf(new Date()))} />
        <Button
          icon={<Download size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          ดาวน์โหลด CSV
        </Button>
      </header>
      {data && <Sums statement={data} />}
      {statement.isError && !data ? (
        <LoadError error={statement.error} onRetry={() => statement.refetch()} />
      ) : (
        <Table<StatementRow>
          rowKey={({ at, no, amountSatang, balanceSatang }) => `${at} ${no} ${amountSatang} ${balanceSatang}`}
          dataSource={data?.rows.toReversed()}
          columns={columns}
          loading={isLoading}
          scroll={{ x: 560 }}
          locale={{ emptyText: isLoading ? ' ' : <NothingFound text="ไม่มีรายการในเดือนนี้" /> }}
          pagination={{ defaultPageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        />
      )}
    </section>
  )
}

function Sums({ statement: { openingSatang, inSatang, outSatang, closingSatang } }: { statement: WalletStatement }) {
  const sums = [
    ['ยอดยกมา', openingSatang],
    ['เข้า', inSatang],
    ['ออก', outSatang],
    ['ยอดยกไป', closingSatang],
  ] as const
  return (
    <dl className="card-part agent-sums">
      {sums.map(([label, satang]) => (
        <div key={label}>
          <dt className="note muted">{label}</dt>
          <dd className="number strong">{formatBaht(satang)}</dd>
        </div>
      ))}
    </dl>
  )
}
