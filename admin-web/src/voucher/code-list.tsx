import { can } from '@shop/shared/permissions.ts'
import { listVouchers, seeVoucher, type VoucherView, withdrawVouchers } from '@shop/shared/voucher/endpoints.ts'
import { VOUCHER_STATE, VOUCHER_STATES } from '@shop/shared/voucher/voucher.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Table, type TableColumnsType } from 'antd'
import { useClient, useMe } from '../account/session.tsx'
import { StaffLink } from '../account/staff-link.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { MoreMenu } from '../ui/more-menu.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { choicesField, type Field, textUpTo, useUrlFilters } from '../ui/url-filters.ts'
import { type CodeStep, nameOf } from './code-actions.tsx'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** The batch of the codes; '' means all. */
const batchField: Field<string> = {
  read: ([id = '']) => (UUID.test(id) ? id : ''),
  write: id => (id ? [id] : []),
}
const fields = { state: choicesField(VOUCHER_STATES), end: textUpTo(4), batch: batchField }
const states = VOUCHER_STATES.map(value => ({ value, label: VOUCHER_STATE[value].label }))
const PAGE_SIZE = 20

/** The codes of a package by their ends. */
export function CodeList({ packageId, onStep }: { packageId: number; onStep: (step: CodeStep) => void }) {
  const client = useClient()
  const { role } = useMe()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, PAGE_SIZE)
  const { state, end, batch, page, pageSize } = filters
  const lastFour = /^[a-z0-9]{1,4}$/i.test(end) ? end : undefined
  const query = { packageId: String(packageId), state: state[0], lastFour, batchId: batch || undefined, page, pageSize }
  const list = useQuery({ ...client.query(listVouchers, { query }), placeholderData: keepPreviousData })
  const isLoading = list.isPending || list.isPlaceholderData
  const may = { move: can(role, withdrawVouchers.allow), see: can(role, seeVoucher.allow) }
  return (
    <>
      <FilterBar label="ตัวกรองรหัส" isFiltered={isFiltered} onReset={reset}>
        <SearchInput
          label="ลงท้าย 4 ตัว"
          value={end}
          maxLength={4}
          width={150}
          onSearch={next => change({ end: next })}
        />
        <ChoiceFilter
          label="สถานะของรหัส"
          all="ทุกสถานะ"
          options={states}
          chosen={state[0] ?? ''}
          width={150}
          onChange={chosen => change({ state: chosen ? [chosen] : [] })}
        />
        {batch && <span className="muted">เฉพาะชุด {list.data?.rows[0]?.batchName ?? 'ที่เลือก'}</span>}
      </FilterBar>
      <ListSection label="รหัส" query={list}>
        <Table<VoucherView>
          rowKey="id"
          dataSource={list.data?.rows}
          columns={columnsOf(may, onStep)}
          loading={isLoading}
          scroll={{ x: 860 }}
          sticky
          locale={{
            emptyText: isLoading ? (
              ' '
            ) : (
              <NothingFound text={isFiltered ? 'ไม่พบรหัสตามตัวกรองนี้' : 'ยังไม่มีรหัสของแพ็กเกจนี้'} />
            ),
          }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

interface May {
  move: boolean
  see: boolean
}

function columnsOf(may: May, onStep: (step: CodeStep) => void): TableColumnsType<VoucherView> {
  return [
    {
      title: 'รหัส',
      width: 170,
      render: (_, { lastFour, batchName }) => (
        <>
          <div className="number strong">••••{lastFour}</div>
          <div className="note muted breakable">{batchName ?? 'จากผู้จำหน่าย'}</div>
        </>
      ),
    },
    { title: 'สถานะ', width: 220, render: (_, code) => <CodeState code={code} /> },
    {
      title: 'คำสั่งซื้อ',
      width: 170,
      render: (_, { orderNo, revealedAt }) =>
        orderNo ? (
          <>
            <StaffLink page="orderDetails" className="number" to={`/management/details/${orderNo}`}>
              {orderNo}
            </StaffLink>
            {revealedAt && <div className="note muted">ลูกค้าดูแล้ว {formatDateTimeSeconds(revealedAt)}</div>}
          </>
        ) : (
          <span className="muted">–</span>
        ),
    },
    {
      title: 'หมดอายุ',
      width: 120,
      render: (_, { expiresOn }) =>
        expiresOn ? <span className="number">{formatDay(expiresOn)}</span> : <span className="muted">–</span>,
    },
    ...(may.move || may.see ? [actionColumn(may, onStep)] : []),
  ]
}

function CodeState({ code }: { code: VoucherView }) {
  const { state, isExpired, withdrawn } = code
  const { label, tone } = VOUCHER_STATE[state]
  return (
    <>
      {state === 'free' && isExpired ? (
        <span className="tag is-bad">หมดอายุ</span>
      ) : (
        <span className={`tag is-${tone}`}>{label}</span>
      )}
      {withdrawn && (
        <div className="note muted breakable">
          {withdrawn.byName ?? 'ไม่ทราบชื่อ'}: {withdrawn.reason}
        </div>
      )}
    </>
  )
}

const actionColumn = (may: May, onStep: (step: CodeStep) => void): TableColumnsType<VoucherView>[number] => ({
  title: <span className="sr-only">จัดการ</span>,
  width: 70,
  align: 'right',
  render: (_, code) => {
    const items = [
      ...(may.see ? [{ key: 'see' as const, label: 'ดูรหัสทั้งหมด…' }] : []),
      ...(may.move && code.state === 'free'
        ? [{ key: 'withdraw' as const, label: 'ถอนออกจากการขาย…', isDanger: true }]
        : []),
      ...(may.move && code.state === 'withdrawn' && code.orderNo === null
        ? [{ key: 'return' as const, label: 'คืนเข้าสต็อก…' }]
        : []),
    ]
    return <MoreMenu label={`จัดการ${nameOf(code)}`} items={items} onChoose={key => onStep({ do: key, of: code })} />
  },
})
