import { messageOf } from '@shop/shared/errors.ts'
import { formatMonth, listRecentMonths } from '@shop/shared/time.ts'
import { exportOwnTransactions, listOwnTransactions, type WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import { ACTION_TYPES, TOP_UP_STATUS_LABELS, TOP_UP_STATUSES } from '@shop/shared/wallet/top-up.ts'
import { exportNameOf, saveFile } from '@shop/web/files.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download, FileText, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Pager } from '../ui/pager.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Failure, Pending, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { CancelTopUpDialog } from './cancel-top-up-dialog.tsx'
import {
  type HistoryFilter,
  isFiltered,
  PAGE_SIZE,
  readHistoryFilter,
  toFilterQuery,
  writeHistoryFilter,
} from './history-filter.ts'
import { HistoryRows } from './history-rows.tsx'
import { SlipViewer } from './slip-picture.tsx'
import { StatementSheet } from './statement-sheet.tsx'

/** Months offered in the filter and for statements. */
const MONTHS = 12
/** The server stops counting here. */
const COUNT_LIMIT = 10_000

function useHistoryFilter() {
  const [search, setSearch] = useSearchParams()
  const filter = readHistoryFilter(search)
  const change = (part: Partial<HistoryFilter>) =>
    setSearch(writeHistoryFilter({ ...filter, page: 1, ...part }), { replace: true })
  const clear = () => setSearch({}, { replace: true })
  return { filter, change, clear, getHref: (page: number) => `?${writeHistoryFilter({ ...filter, page })}` }
}

/** Everything that happened on the wallet, newest first, with filters in the address. */
export function HistorySection({ onEdit }: { onEdit: (row: WalletTransaction) => void }) {
  const { filter, change, clear, getHref } = useHistoryFilter()
  const query = { ...toFilterQuery(filter), page: filter.page, pageSize: PAGE_SIZE }
  const history = useQuery({
    ...api.query(listOwnTransactions, { query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const page = history.data
  return (
    <section aria-labelledby="wallet-history">
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-3 lg:mt-8">
        <h2 id="wallet-history" className="text-section">
          รายการล่าสุด
        </h2>
        <div className="-mr-3">
          <ExportButton filter={filter} />
        </div>
      </div>
      <Filters filter={filter} onChange={change} onClear={clear} />
      {history.isError && !page ? (
        <div className="mt-3">
          <Failure text="ไม่สามารถดึงข้อมูลได้ กรุณาลองอีกครั้ง" busy={history.isFetching} onRetry={() => history.refetch()} />
        </div>
      ) : (
        <Pending pending={history.isPending} skeleton={<RowsSkeleton />}>
          {() => page && <Results page={page} filter={filter} getHref={getHref} onClear={clear} onEdit={onEdit} />}
        </Pending>
      )}
    </section>
  )
}

type FiltersProps = {
  filter: HistoryFilter
  onChange: (part: Partial<HistoryFilter>) => void
  onClear: () => void
}

function Filters({ filter, onChange, onClear }: FiltersProps) {
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-2">
      <Select
        label="เดือน"
        value={filter.month ?? ''}
        onChange={event => onChange({ month: event.target.value || null })}
      >
        <option value="">ทุกเดือน</option>
        {listRecentMonths(new Date(), MONTHS).map(month => (
          <option key={month} value={month}>
            {formatMonth(month)}
          </option>
        ))}
      </Select>
      <Select
        label="ประเภท"
        value={filter.actionType ?? ''}
        onChange={event => onChange({ actionType: ACTION_TYPES.find(each => each === event.target.value) ?? null })}
      >
        <option value="">ทุกประเภท</option>
        {ACTION_TYPES.map(type => (
          <option key={type}>{type}</option>
        ))}
      </Select>
      <Select
        label="สถานะ"
        value={filter.status ?? ''}
        onChange={event => onChange({ status: TOP_UP_STATUSES.find(each => each === event.target.value) ?? null })}
      >
        <option value="">ทุกสถานะ</option>
        {TOP_UP_STATUSES.map(status => (
          <option key={status} value={status}>
            {TOP_UP_STATUS_LABELS[status]}
          </option>
        ))}
      </Select>
      {isFiltered(filter) && (
        <Button kind="quiet" size="small" onClick={onClear}>
          ล้างตัวกรอง
        </Button>
      )}
      <span className="lg:ml-auto lg:-mr-3">
        <StatementButton />
      </span>
    </div>
  )
}

type ResultsProps = {
  page: { rows: WalletTransaction[]; total: number }
  filter: HistoryFilter
  getHref: (page: number) => string
  onClear: () => void
  onEdit: (row: WalletTransaction) => void
}

function Results({ page, filter, getHref, onClear, onEdit }: ResultsProps) {
  const [slip, setSlip] = useState<{ slipId: string; no: string } | null>(null)
  const [isSlipOpen, setSlipOpen] = useState(false)
  const [cancelled, setCancelled] = useState<WalletTransaction | null>(null)
  const openSlip = ({ slipId, no }: WalletTransaction) => {
    if (!slipId) return
    setSlip({ slipId, no })
    setSlipOpen(true)
  }
  const count = page.total > COUNT_LIMIT ? `มากกว่า ${COUNT_LIMIT.toLocaleString('en-US')}` : String(page.total)
  return (
    <>
      <p role="status" className="mt-2 text-ink-2 text-note">
        {page.total > 0 ? `${count} รายการ` : ''}
      </p>
      {page.rows.length > 0 ? (
        <HistoryRows rows={page.rows} onSlip={openSlip} onEdit={onEdit} onCancel={setCancelled} />
      ) : (
        <NoRows filtered={isFiltered(filter)} onClear={onClear} />
      )}
      <Pager
        label="หน้าของรายการ"
        current={filter.page}
        last={Math.ceil(Math.min(page.total, COUNT_LIMIT) / PAGE_SIZE)}
        getHref={getHref}
      />
      <SlipViewer slip={slip} open={isSlipOpen} onClose={() => setSlipOpen(false)} />
      <CancelTopUpDialog row={cancelled} onClose={() => setCancelled(null)} />
    </>
  )
}

const NoRows = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) =>
  filtered ? (
    <Empty
      icon={ReceiptText}
      title="ไม่พบรายการ"
      text="ลองเปลี่ยนตัวกรอง"
      action={
        <Button kind="tint" size="small" onClick={onClear}>
          ล้างตัวกรอง
        </Button>
      }
    />
  ) : (
    <Empty icon={ReceiptText} title="ยังไม่มีรายการ" text="เติมเงินครั้งแรกได้ที่ปุ่มด้านบน" />
  )

function ExportButton({ filter }: { filter: HistoryFilter }) {
  const toast = useToast()
  const download = useMutation({
    mutationFn: () => api.call(exportOwnTransactions, { query: toFilterQuery(filter) }),
    onSuccess: file => saveFile(file as Blob, exportNameOf(new Date())),
    onError: error => toast({ kind: 'error', text: messageOf(error) }),
  })
  return (
    <Button
      kind="quiet"
      size="small"
      icon={<Download size={18} strokeWidth={1.75} aria-hidden />}
      busy={download.isPending}
      onClick={() => download.mutate()}
    >
      ส่งออก CSV
    </Button>
  )
}

function StatementButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        aria-haspopup="dialog"
        icon={<FileText size={18} strokeWidth={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        ใบแจ้งยอด
      </Button>
      <StatementSheet open={isOpen} months={listRecentMonths(new Date(), MONTHS)} onClose={() => setOpen(false)} />
    </>
  )
}

const RowsSkeleton = () => (
  <div className="mt-4 grid gap-3">
    {[0, 1, 2, 3, 4].map(row => (
      <Skeleton key={row} className="h-16" />
    ))}
  </div>
)
