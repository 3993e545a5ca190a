import { messageOf } from '@shop/shared/errors.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import { exportStatement, getStatement, type WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { exportNameOf } from '@shop/web/files.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { useKeepFile } from '../keep-file.ts'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { MonthSelect } from '../ui/month-select.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'

interface StatementSheetProps {
  open: boolean
  onClose: () => void
}

/** The statement of one month: everything that moved on the wallet between its opening and its closing balance. */
export function StatementSheet({ open, onClose }: StatementSheetProps) {
  const [month, setMonth] = useState(() => bangkokMonthOf(new Date()))
  const statement = useQuery({ ...api.query(getStatement, { params: { month } }), enabled: open, staleTime: 0 })
  return (
    <Sheet open={open} onClose={onClose} title="ใบแจ้งยอด">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <MonthSelect value={month} onChange={setMonth} />
        <ExportButton key={month} month={month} />
      </div>
      <Loaded query={statement} skeleton={<Skeleton className="mt-3 h-64" />} spaced>
        {data => <Statement statement={data} />}
      </Loaded>
    </Sheet>
  )
}

function ExportButton({ month }: { month: string }) {
  const keepFile = useKeepFile()
  const download = useMutation({
    mutationFn: async () => keepFile(await api.call(exportStatement, { params: { month } }), exportNameOf(new Date())),
  })
  return (
    <>
      <Button
        kind="tint"
        size="small"
        icon={<Download size={18} />}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        ส่งออก CSV
      </Button>
      <Problem className="basis-full">{download.error && messageOf(download.error)}</Problem>
    </>
  )
}

type StatementLine = WalletStatement['rows'][number]

function Statement({ statement }: { statement: WalletStatement }) {
  return (
    <div className="mt-3 text-value">
      <p className="mb-2 text-ink-2 text-note">เวลาคือเวลาที่ยอดเข้าหรือออกจากกระเป๋าเงิน</p>
      <Total label="ยอดยกมา" satang={statement.openingSatang} />
      {statement.rows.length > 0 ? (
        <ul className="divide-y divide-line border-line border-y">
          {statement.rows.map(row => (
            <StatementRow key={`${row.at} ${row.no} ${row.balanceSatang}`} row={row} />
          ))}
        </ul>
      ) : (
        <p className="border-line border-y py-4 text-center text-ink-2">ไม่มีรายการในเดือนนี้</p>
      )}
      <dl className="grid gap-y-0.5 py-2.5 text-ink-2 text-small">
        <div className="flex justify-between gap-3">
          <dt>เข้า</dt>
          <dd>
            <Amount satang={statement.inSatang} />
          </dd>
        </div>
        <div className="flex justify-between gap-3">
          <dt>ออก</dt>
          <dd>
            <Amount satang={statement.outSatang} />
          </dd>
        </div>
      </dl>
      <Total label="ยอดยกไป" satang={statement.closingSatang} />
    </div>
  )
}

const Total = ({ label, satang }: { label: string; satang: number }) => (
  <p className="flex flex-wrap justify-between gap-x-3 rounded-small bg-canvas px-3 py-2 font-semibold">
    {label}
    <Amount satang={satang} />
  </p>
)

const StatementRow = ({ row }: { row: StatementLine }) => (
  <li className="py-2.5">
    <p className="flex flex-wrap justify-between gap-x-3 font-semibold">
      <span className="min-w-0">{row.detail || row.actionType}</span>
      <span className="ml-auto">
        <Amount satang={row.amountSatang} kind="signed" />
      </span>
    </p>
    <p className="flex flex-wrap justify-between gap-x-3 text-ink-2 text-note">
      <span>
        <span className="whitespace-nowrap">{formatDateTime(row.at)}</span>{' '}
        <span className="whitespace-nowrap">{row.no}</span>
      </span>
      <span className="ml-auto whitespace-nowrap">
        คงเหลือ <Amount satang={row.balanceSatang} />
      </span>
    </p>
  </li>
)
