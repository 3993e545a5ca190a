import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReceiptText, Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { useListFilter } from '../list-filter.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ClearFilters, NothingFound } from '../ui/clear-filters.tsx'
import { Field } from '../ui/field.tsx'
import { MonthSelect } from '../ui/month-select.tsx'
import { Note } from '../ui/note.tsx'
import { Pager, RowCount } from '../ui/pager.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Loaded, RowsSkeleton } from '../ui/state.tsx'
import { HistoryRows } from './history-rows.tsx'
import { RunningList } from './running-list.tsx'
import { useRunningOrders } from './running-orders.ts'
import { SignInLink } from './sign-in-link.tsx'

const PAGE_SIZE = 10

type HistoryFilter = ReturnType<typeof useListFilter<'game' | 'status' | 'orderNo'>>

/** A person's orders, a guest's those of this browser; unpaid ones first. */
export default function HistoryScreen() {
  const { me } = useSession()
  const filter: HistoryFilter = useListFilter()
  const status = ORDER_STATUSES.find(each => each === filter.get('status'))
  const query = {
    month: filter.month || undefined,
    game: Number(filter.get('game')) ? [Number(filter.get('game'))] : undefined,
    status: status && [status],
    orderNo: filter.get('orderNo') || undefined,
    page: filter.page,
    pageSize: PAGE_SIZE,
  }
  const orders = useQuery({ ...api.query(listOwnOrders, { query }), staleTime: 0, placeholderData: keepPreviousData })
  const earlier = useRunningOrders().rows.filter(({ isInHistory }) => !isInHistory)
  return (
    <>
      <h1 className="page-title">คำสั่งซื้อ</h1>
      {!me && <GuestNote />}
      <RunningList title="สั่งซื้อในเครื่องนี้ก่อนเข้าสู่ระบบ" orders={earlier} />
      <Filters filter={filter} />
      <Loaded query={orders} skeleton={<RowsSkeleton />} spaced filtered>
        {page => <Results page={page} receivedAt={orders.dataUpdatedAt} filter={filter} />}
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

function Filters({ filter }: { filter: HistoryFilter }) {
  const games = useQuery(api.query(listGames))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    filter.change('orderNo', String(new FormData(event.currentTarget).get('orderNo')).trim())
  }
  return (
    <div className="mt-2.5 grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-center gap-2 lg:flex [&_select]:w-full">
      <MonthSelect all="ทุกเดือน" value={filter.month} onChange={month => filter.change('month', month)} />
      <Select
        label="เกม"
        all="ทุกเกม"
        value={filter.get('game')}
        choices={(games.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={game => filter.change('game', game)}
      />
      <Select
        label="สถานะ"
        all="ทุกสถานะ"
        value={filter.get('status')}
        choices={ORDER_STATUSES.map(status => ({ value: status, label: ORDER_STATUS[status].label }))}
        onChange={status => filter.change('status', status)}
      />
      <search className="min-w-0 lg:w-72">
        <form onSubmit={submit}>
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
      </search>
      {filter.isSet && <ClearFilters onClear={filter.clear} />}
    </div>
  )
}

type Page = Parameters<typeof HistoryRows>[0]['page']

function Results({ page, receivedAt, filter }: { page: Page; receivedAt: number; filter: HistoryFilter }) {
  return (
    <>
      <RowCount total={page.total} />
      {page.rows.length > 0 ? <HistoryRows page={page} receivedAt={receivedAt} /> : <NoOrders filter={filter} />}
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

const NoOrders = ({ filter }: { filter: HistoryFilter }) =>
  filter.isSet || filter.page > 1 ? (
    <NothingFound title="ไม่พบคำสั่งซื้อ" onClear={filter.clear} />
  ) : (
    <Empty
      icon={ReceiptText}
      title="ยังไม่มีคำสั่งซื้อ"
      text="เลือกเกมที่เล่นแล้วเริ่มเติมได้เลย"
      action={
        <ButtonLink kind="tint" size="small" to="/game">
          เลือกเกม
        </ButtonLink>
      }
    />
  )
