import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { ORDER_TABS } from '@shop/shared/order/tabs.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReceiptText, Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { useListFilter } from '../list-filter.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ClearFilters, NothingFound } from '../ui/clear-filters.tsx'
import { Field } from '../ui/field.tsx'
import { FilterToggle } from '../ui/filter-toggle.tsx'
import { MonthSelect } from '../ui/month-select.tsx'
import { Note } from '../ui/note.tsx'
import { Pager, RowCount } from '../ui/pager.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Loaded, RowsSkeleton } from '../ui/state.tsx'
import { HistoryRows } from './history-rows.tsx'
import { HistoryTabs, TABS, type TabName } from './history-tabs.tsx'
import { RunningList } from './running-list.tsx'
import { useRunningOrders } from './running-orders.ts'
import { SignInLink } from './sign-in-link.tsx'

const PAGE_SIZE = 10

/** Fewer orders than this are looked through faster than they are filtered. */
const WORTH_FILTERING = 10

type HistoryFilter = ReturnType<typeof useListFilter<'game' | 'tab' | 'orderNo'>>

/** A person's orders, a guest's those of this browser; unpaid ones first. */
export default function HistoryScreen() {
  const { me } = useSession()
  const filter: HistoryFilter = useListFilter()
  const tab = ORDER_TABS.find(each => each === filter.get('tab'))
  const isNarrowed = Boolean(filter.month || filter.get('game') || filter.get('orderNo'))
  const [isFiltering, setFiltering] = useState(isNarrowed)
  const query = {
    month: filter.month || undefined,
    game: Number(filter.get('game')) ? [Number(filter.get('game'))] : undefined,
    tab,
    orderNo: filter.get('orderNo') || undefined,
    page: filter.page,
    pageSize: PAGE_SIZE,
  }
  const orders = useQuery({ ...api.query(listOwnOrders, { query }), staleTime: 0, placeholderData: keepPreviousData })
  const earlier = useRunningOrders().rows.filter(({ isInHistory }) => !isInHistory)
  const counts = orders.data?.counts
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h1 className="page-title">คำสั่งซื้อ</h1>
        {(isNarrowed || (counts?.all ?? 0) >= WORTH_FILTERING) && (
          <FilterToggle open={isFiltering} onToggle={setFiltering} />
        )}
      </div>
      {!me && <GuestNote />}
      <RunningList title="สั่งซื้อในเครื่องนี้ก่อนเข้าสู่ระบบ" orders={earlier} />
      {isFiltering && <Filters filter={filter} isNarrowed={isNarrowed} />}
      <HistoryTabs
        current={tab ?? 'all'}
        counts={counts}
        onChange={next => filter.change('tab', next === 'all' ? '' : next)}
      />
      <Loaded query={orders} skeleton={<RowsSkeleton />} spaced filtered>
        {page => (
          <Results page={page} receivedAt={orders.dataUpdatedAt} filter={filter}>
            <NoOrders tab={tab ?? 'all'} isNarrowed={isNarrowed} onClear={filter.clear} />
          </Results>
        )}
      </Loaded>
    </>
  )
}

/** A guest's orders are found by this browser alone. */
const GuestNote = () => (
  <Note className="mt-2.5" action={<SignInLink />}>
    คำสั่งซื้อที่ทำในเครื่องนี้ มีบัญชีอยู่แล้ว?
  </Note>
)

function Filters({ filter, isNarrowed }: { filter: HistoryFilter; isNarrowed: boolean }) {
  const games = useQuery(api.query(listGames))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    filter.change('orderNo', String(new FormData(event.currentTarget).get('orderNo')).trim())
  }
  return (
    <search
      aria-label="ตัวกรอง"
      className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-center gap-2 lg:flex [&_select]:min-h-13 [&_select]:w-full"
    >
      <MonthSelect all="ทุกเดือน" value={filter.month} onChange={month => filter.change('month', month)} />
      <Select
        label="เกม"
        all="ทุกเกม"
        value={filter.get('game')}
        choices={(games.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={game => filter.change('game', game)}
      />
      <form onSubmit={submit} className="min-w-0 lg:w-72">
        <Field
          bare
          key={filter.get('orderNo')}
          name="orderNo"
          label="ค้นหาเลขที่คำสั่งซื้อ"
          placeholder="เลขที่คำสั่งซื้อ"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={20}
          defaultValue={filter.get('orderNo')}
          lead={<Search size={18} className="flex-none text-ink-3" />}
        />
      </form>
      {isNarrowed && <ClearFilters onClear={filter.clear} />}
    </search>
  )
}

interface ResultsProps {
  page: Parameters<typeof HistoryRows>[0]['page']
  receivedAt: number
  filter: HistoryFilter
  /** Stands in place of the rows when there are none. */
  children: ReactNode
}

function Results({ page, receivedAt, filter, children }: ResultsProps) {
  return (
    <>
      {/* The tabs show it already. */}
      <div className="sr-only">
        <RowCount total={page.total} />
      </div>
      {page.rows.length > 0 ? <HistoryRows page={page} receivedAt={receivedAt} /> : children}
      <Pager
        label="หน้าของคำสั่งซื้อ"
        current={filter.page}
        total={page.total}
        pageSize={PAGE_SIZE}
        getHref={filter.getHref}
      />
    </>
  )
}

function NoOrders({ tab, isNarrowed, onClear }: { tab: TabName; isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed) return <NothingFound title="ไม่พบคำสั่งซื้อ" onClear={onClear} />
  if (tab !== 'all') return <Empty icon={ReceiptText} title={TABS[tab].none} />
  return (
    <Empty
      icon={ReceiptText}
      title={TABS.all.none}
      text="เลือกเกมที่เล่นแล้วเริ่มเติมได้เลย"
      action={
        <ButtonLink kind="tint" size="small" to="/game">
          เลือกเกม
        </ButtonLink>
      }
    />
  )
}
