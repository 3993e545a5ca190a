import { GATEWAY_NAMES } from '@shop/shared/provider-names.ts'
import { agrees, sumOf } from '@shop/shared/statement/reconciliation.ts'
import {
  getReconciliation,
  listBookedWithoutLine,
  type ReconciliationDay,
} from '@shop/shared/statement/refund-endpoints.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Table } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlChoice, useUrlFilters } from '../ui/url-filters.ts'
import { AccountSelect, accountField } from './account-select.tsx'
import { GatewayAccounts } from './gateway-accounts.tsx'
import { GatewayMovesDrawer } from './gateway-moves-drawer.tsx'
import { monthFields, PeriodFilter } from './period-filter.tsx'
import { columns, OVERDUE, type ReconciledRow } from './reconciliation-columns.tsx'
import { WithoutLineDrawer } from './without-line-drawer.tsx'
import './statement.css'

const fields = { account: accountField, ...monthFields }

/** Compares the bank with the books, per account and day. */
export function ReconciliationScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const [opened, open] = useUrlChoice('withoutLine')
  const [ofGateway, openGateway] = useUrlChoice('gateway')
  const moved = dayOfGateway(ofGateway)
  const { account, from, to } = filters
  const days = useQuery({
    ...client.query(getReconciliation, {
      query: { receivingAccountId: account ?? undefined, from: from ?? '', to: to ?? '' },
    }),
    enabled: from !== null && to !== null,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title="กระทบยอดบัญชี" />
      <FilterBar label="ตัวกรองการกระทบยอด" isFiltered={isFiltered} onReset={reset}>
        <AccountSelect
          label="บัญชีธนาคาร"
          placeholder="ทุกบัญชี"
          allowClear
          value={account}
          onChange={next => change({ account: next })}
        />
        <PeriodFilter from={from} to={to} onChange={change} />
      </FilterBar>
      <Overdue account={account} onOpen={() => open(OVERDUE)} />
      <ListSection label="ยอดรายวัน" query={days}>
        {!from || !to ? (
          <NothingFound text="กรุณาเลือกช่วงวันที่" />
        ) : (
          <Days days={days.data?.days ?? []} isLoading={days.isPending || days.isPlaceholderData} />
        )}
      </ListSection>
      {from && to && account === null && <GatewayAccounts from={from} to={to} />}
      {moved && <GatewayMovesDrawer of={moved} onClose={() => openGateway(null)} />}
      {opened && <WithoutLineDrawer of={placeOf(opened, account)} onClose={() => open(null)} />}
    </>
  )
}

/** The sum of everything, where there are several accounts also the sum of each. */
function sumsOf(days: readonly ReconciliationDay[]): ReconciledRow[] {
  if (days.length === 0) return []
  const accounts = [...Map.groupBy(days, ({ receivingAccountId }) => receivingAccountId)]
  const each = accounts.map(([receivingAccountId, own]) => ({ ...sumOf(own), receivingAccountId, day: null }))
  return each.length === 1 ? each : [{ ...sumOf(days), receivingAccountId: null, day: null }, ...each]
}

/** The sums first, then the days that need a look; those that agree are folded. */
function Days({ days, isLoading }: { days: readonly ReconciliationDay[]; isLoading: boolean }) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const agreeing = days.filter(agrees).length
  const shown: readonly ReconciledRow[] = isUnfolded ? days : days.filter(day => !agrees(day))
  const accounts = new Set(days.map(({ receivingAccountId }) => receivingAccountId)).size
  const word = `${agreeing.toLocaleString('en-US')} ${accounts > 1 ? `วันของ ${accounts} บัญชี` : 'วัน'}ตรงกัน`
  return (
    <Table<ReconciledRow>
      rowKey={({ receivingAccountId, day }) => `${receivingAccountId} ${day}`}
      dataSource={[...sumsOf(days), ...shown]}
      columns={columns}
      loading={isLoading}
      scroll={{ x: 990 }}
      sticky
      rowClassName={({ day }) => (day === null ? 'is-sum' : '')}
      locale={{ emptyText: isLoading ? ' ' : <NothingFound text="ไม่มีเงินเข้าออกในช่วงนี้" /> }}
      pagination={{ defaultPageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
      footer={
        agreeing > 0
          ? () => (
              <Button type="link" aria-expanded={isUnfolded} onClick={() => setIsUnfolded(!isUnfolded)}>
                {isUnfolded ? `ซ่อน ${word}` : `${word} ดูทั้งหมด`}
              </Button>
            )
          : undefined
      }
    />
  )
}

/** Warns of money that was booked on any day and is overdue, because its line is still missing. */
function Overdue({ account, onOpen }: { account: number | null; onOpen: () => void }) {
  const client = useClient()
  const query = { receivingAccountId: account ?? undefined, overdue: 'true', page: 1, pageSize: 1 }
  const total = useQuery(client.query(listBookedWithoutLine, { query })).data?.total ?? 0
  if (total === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      className="form-alert"
      title={`${total.toLocaleString('en-US')} รายการรับเงินแล้วเกิน 2 วัน แต่ยังไม่พบรายการธนาคาร`}
      description="นับทุกวัน ไม่เฉพาะช่วงที่เลือก · อาจยังไม่ได้นำเข้าไฟล์ธนาคาร หรือสลิปไม่จริง กรุณาตรวจ"
      action={<Button onClick={onOpen}>ดูรายการที่เกินกำหนด</Button>}
    />
  )
}

/** Reads "opn_2026-11-20" as a gateway and day; null for anything else. */
function dayOfGateway(text: string | null) {
  const [name, day] = text?.split('_') ?? []
  const gateway = GATEWAY_NAMES.find(each => each === name)
  return gateway && day && /^\d{4}-\d\d-\d\d$/.test(day) ? { gateway, day } : null
}

/** Reads "7_2026-11-20" as an account and day; anything else is the overdue list of the chosen account. */
function placeOf(text: string, chosen: number | null): { account?: number; day?: string; isOverdue: boolean } {
  const [account, day] = text.split('_')
  if (text === OVERDUE || !day || !/^\d+$/.test(account ?? '')) return { account: chosen ?? undefined, isOverdue: true }
  return { account: Number(account), day, isOverdue: false }
}
