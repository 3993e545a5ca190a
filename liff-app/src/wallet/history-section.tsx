import { messageOf } from '@shop/shared/errors.ts'
import {
  exportOwnTransactions,
  listOwnTransactions,
  type OwnTransaction,
  type WalletTransaction,
} from '@shop/shared/wallet/endpoints.ts'
import { ACTION_TYPES, TOP_UP_STATUS_LABELS, TOP_UP_STATUSES } from '@shop/shared/wallet/top-up.ts'
import { exportNameOf } from '@shop/web/files.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download, FileText, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { useKeepFile } from '../keep-file.ts'
import { useListFilter } from '../list-filter.ts'
import { Button } from '../ui/button.tsx'
import { ClearFilters, NothingFound } from '../ui/clear-filters.tsx'
import { FilterToggle } from '../ui/filter-toggle.tsx'
import { MonthSelect } from '../ui/month-select.tsx'
import { Pager, RowCount } from '../ui/pager.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Loaded, RowsSkeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { SlipViewer } from '../upload/slip-picture.tsx'
import { CancelTopUpDialog } from './cancel-top-up-dialog.tsx'
import { HistoryRows } from './history-rows.tsx'
import { StatementSheet } from './statement-sheet.tsx'

const PAGE_SIZE = 10
const FOLLOW_MS = 10_000

type HistoryFilter = ReturnType<typeof useListFilter<'type' | 'status'>>

/** The filters as the calls take them. */
function toQuery(filter: HistoryFilter) {
  const actionType = ACTION_TYPES.find(each => each === filter.get('type'))
  const status = TOP_UP_STATUSES.find(each => each === filter.get('status'))
  return { month: filter.month || undefined, actionType: actionType && [actionType], status: status && [status] }
}

/** Everything that happened on the wallet, newest first, with filters in the address. */
export function HistorySection({ newId, onEdit }: Pick<ResultsProps, 'newId' | 'onEdit'>) {
  const filter: HistoryFilter = useListFilter()
  const query = toQuery(filter)
  // On a phone the filters are folded, so that the first screen has what happened last.
  const [isFiltering, setFiltering] = useState(filter.isSet)
  const history = useQuery({
    ...api.query(listOwnTransactions, { query: { ...query, page: filter.page, pageSize: PAGE_SIZE } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    // A waiting top-up is confirmed and approved by others, or paid elsewhere.
    refetchInterval: ({ state }) =>
      state.data?.rows.some(({ status }) => status === 'waiting_approve' || status === 'waiting_payment')
        ? FOLLOW_MS
        : false,
  })
  return (
    <section aria-labelledby="wallet-history">
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-3 lg:mt-8">
        <h2 id="wallet-history" className="flex-1 text-section">
          รายการล่าสุด
        </h2>
        <FilterToggle open={isFiltering} onToggle={setFiltering} className="sm:hidden" />
        <div className="-mx-3 flex flex-wrap max-sm:basis-full">
          <StatementButton />
          <ExportButton query={query} />
        </div>
      </div>
      <div className={isFiltering ? undefined : 'max-sm:hidden'}>
        <Filters filter={filter} />
      </div>
      <Loaded query={history} skeleton={<RowsSkeleton />} failure="ไม่สามารถดึงข้อมูลได้ กรุณาลองอีกครั้ง" spaced filtered>
        {page => <Results page={page} filter={filter} newId={newId} onEdit={onEdit} />}
      </Loaded>
    </section>
  )
}

function Filters({ filter }: { filter: HistoryFilter }) {
  return (
    <div className="mt-1.5 grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-center gap-2 sm:flex [&_select]:w-full">
      <MonthSelect all="ทุกเดือน" value={filter.month} onChange={month => filter.change('month', month)} />
      <Select
        label="ประเภท"
        all="ทุกประเภท"
        value={filter.get('type')}
        choices={ACTION_TYPES.map(type => ({ value: type, label: type }))}
        onChange={type => filter.change('type', type)}
      />
      <Select
        label="สถานะ"
        all="ทุกสถานะ"
        value={filter.get('status')}
        choices={TOP_UP_STATUSES.map(status => ({ value: status, label: TOP_UP_STATUS_LABELS[status] }))}
        onChange={status => filter.change('status', status)}
      />
      {filter.isSet && <ClearFilters onClear={filter.clear} />}
    </div>
  )
}

interface ResultsProps {
  page: { rows: OwnTransaction[]; total: number }
  filter: HistoryFilter
  /** The top-up that was just sent or changed, which stands out among the others. */
  newId: string | null
  onEdit: (row: WalletTransaction) => void
}

function Results({ page, filter, newId, onEdit }: ResultsProps) {
  const [slip, setSlip] = useState<{ slipId: string; no: string } | null>(null)
  const [isSlipOpen, setSlipOpen] = useState(false)
  const [cancelled, setCancelled] = useState<WalletTransaction | null>(null)
  const openSlip = ({ slipId, no }: WalletTransaction) => {
    if (!slipId) return
    setSlip({ slipId, no })
    setSlipOpen(true)
  }
  return (
    <>
      <RowCount total={page.total} />
      {page.rows.length > 0 ? (
        <HistoryRows rows={page.rows} newId={newId} onSlip={openSlip} onEdit={onEdit} onCancel={setCancelled} />
      ) : filter.isSet ? (
        <NothingFound title="ไม่พบรายการ" onClear={filter.clear} />
      ) : (
        <Empty icon={ReceiptText} title="ยังไม่มีรายการ" text="เติมเงินครั้งแรกได้ที่ปุ่มด้านบน" />
      )}
      <Pager
        label="หน้าของรายการ"
        current={filter.page}
        total={page.total}
        pageSize={PAGE_SIZE}
        getHref={filter.getHref}
      />
      <SlipViewer slip={slip} open={isSlipOpen} onClose={() => setSlipOpen(false)} />
      <CancelTopUpDialog row={cancelled} onClose={() => setCancelled(null)} />
    </>
  )
}

function ExportButton({ query }: { query: ReturnType<typeof toQuery> }) {
  const toast = useToast()
  const keepFile = useKeepFile()
  const download = useMutation({
    mutationFn: async () => keepFile(await api.call(exportOwnTransactions, { query }), exportNameOf(new Date())),
    onError: error => toast({ kind: 'error', text: messageOf(error) }),
  })
  return (
    <Button
      kind="quiet"
      size="small"
      icon={<Download size={18} />}
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
        icon={<FileText size={18} />}
        onClick={() => setOpen(true)}
      >
        ใบแจ้งยอด
      </Button>
      <StatementSheet open={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
