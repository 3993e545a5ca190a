import { type ListedAgentApi, listAgentApis } from '@shop/shared/reseller/key-endpoints.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Checkbox, Table, type TableColumnsType } from 'antd'
import { useClient } from '../account/session.tsx'
import { placeOfAgent } from '../account/staff-link.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { RowLink } from '../ui/row-link.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { flagField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { Calls, NOTHING, Spending } from './figures.tsx'

const fields = { name: textField, isFailing: flagField }

/** Agents whose machines order by the API: what they call, what fails, what they spend. */
export function ResellersScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, 20)
  const { name, isFailing, page, pageSize } = filters
  const query = { name: name || undefined, ...(isFailing && { isFailing: 'true' as const }), page, pageSize }
  const list = useSteadyQuery(client.query(listAgentApis, { query }))
  const nothing = isFiltered ? 'ไม่พบตัวแทนตามตัวกรองนี้' : 'ยังไม่มีตัวแทนที่สร้างคีย์ API'
  return (
    <>
      <PageHead title={STAFF_PAGE.reseller.title} about="ตัวแทนที่สั่งซื้อด้วยโปรแกรม นับเฉพาะคีย์ใช้จริง ซื้อมากสุดใน 30 วันอยู่บน" />
      <FilterBar label="ตัวกรอง API ตัวแทน" isFiltered={isFiltered} onReset={reset}>
        <SearchInput label="ชื่อตัวแทน หรือรหัสคีย์" value={name} width={260} onSearch={text => change({ name: text })} />
        <Checkbox checked={isFailing} onChange={event => change({ isFailing: event.target.checked })}>
          เฉพาะที่ส่งเหตุการณ์ไม่ถึง
        </Checkbox>
      </FilterBar>
      <ListSection label="ตัวแทนที่ใช้ API" query={list}>
        <Table<ListedAgentApi>
          rowKey="uid"
          dataSource={list.data?.rows}
          columns={columns}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 1080 }}
          sticky
          locale={{ emptyText: list.isPending ? ' ' : <NothingFound text={nothing} /> }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

const figures = (days: 'today' | 'month', label: string): TableColumnsType<ListedAgentApi> => [
  { title: `เรียก${label}`, align: 'right', width: 144, render: (_, agent) => <Calls use={agent[days]} /> },
  { title: `ซื้อ${label} (บาท)`, align: 'right', width: 144, render: (_, agent) => <Spending use={agent[days]} /> },
]

const columns: TableColumnsType<ListedAgentApi> = [
  {
    title: 'ตัวแทน',
    render: (_, { uid, name, keys }) => (
      <TwoLines note={keys > 0 ? `คีย์ใช้จริง ${keys}` : 'ไม่มีคีย์ใช้จริงที่ใช้งานได้'}>
        <RowLink className="strong breakable" to={placeOfAgent(uid)}>
          {name || '–'}
        </RowLink>
      </TwoLines>
    ),
  },
  ...figures('today', 'วันนี้'),
  ...figures('month', ' 30 วัน'),
  {
    title: 'ใช้ล่าสุด',
    width: 164,
    render: (_, { lastUsedAt }) =>
      lastUsedAt ? (
        <span className="number">{formatDateTimeSeconds(lastUsedAt)}</span>
      ) : (
        <span className="muted">ยังไม่เคย</span>
      ),
  },
  {
    title: 'ส่งเหตุการณ์',
    width: 160,
    render: (_, { webhooks, failingWebhooks }) => {
      if (webhooks === 0) return NOTHING
      if (failingWebhooks === 0) return 'ส่งได้'
      const text = webhooks === 1 ? 'ส่งไม่ถึง' : `ส่งไม่ถึง ${failingWebhooks} จาก ${webhooks}`
      return <span className="tag is-warn">{text}</span>
    },
  },
]
