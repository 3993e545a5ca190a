import { ROLE_LABELS, SIGN_IN_PROVIDER } from '@shop/shared/account/account.ts'
import { type ListedUser, searchUsers } from '@shop/shared/account/endpoints.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { ROLES } from '@shop/shared/permissions.ts'
import { lookUp } from '@shop/shared/table.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, Table, type TableColumnsType } from 'antd'
import { ChoicesFilter, FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { RowLink } from '../ui/row-link.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { choicesField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { EmailCell } from './email-cell.tsx'
import { useClient } from './session.tsx'
import { StatusChip } from './status-chip.tsx'
import { useSteadyQuery } from './use-steady-query.ts'

const roleOptions = ROLES.map(value => ({ value, label: ROLE_LABELS[value] }))
const fields = { name: textField, roles: choicesField(ROLES) }

const placeOf = ({ uid }: ListedUser) => `/user/${encodeURIComponent(uid)}`

/** Whoever came with LINE alone has no address that could be confirmed. */
function Standing({ user: { isActived, email } }: { user: ListedUser }) {
  return isActived === null && email === null ? null : <StatusChip isActived={isActived} />
}

const columns: TableColumnsType<ListedUser> = [
  {
    title: 'ผู้ใช้',
    render: (_, user) => (
      <TwoLines note={user.email !== null && <EmailCell address={user} />}>
        <RowLink className="strong" to={placeOf(user)}>
          {user.displayName}
        </RowLink>
      </TwoLines>
    ),
  },
  { title: 'บทบาท', width: 100, dataIndex: 'roleName' },
  {
    title: 'เข้าสู่ระบบด้วย',
    width: 132,
    render: (_, { providers }) => providers.map(each => lookUp(SIGN_IN_PROVIDER, each)?.name ?? each).join(', '),
  },
  {
    title: 'คำสั่งซื้อ',
    width: 96,
    align: 'right',
    render: (_, { orders }) => (
      <span className="number">
        {orders === 0 ? '–' : `${orders.toLocaleString('en-US')}${orders < MOST_COUNTED ? '' : '+'}`}
      </span>
    ),
  },
  {
    title: 'ซื้อสำเร็จ (บาท)',
    width: 124,
    align: 'right',
    render: (_, { spentSatang }) => <span className="number">{spentSatang === 0 ? '–' : formatBaht(spentSatang)}</span>,
  },
  {
    title: 'สั่งซื้อล่าสุด',
    width: 160,
    render: (_, { lastOrderAt }) => (
      <span className="number">{lastOrderAt ? formatDateTimeSeconds(lastOrderAt) : '–'}</span>
    ),
  },
  {
    title: 'วันที่สมัคร',
    width: 160,
    render: (_, { createdDate }) => <span className="number">{formatDateTimeSeconds(createdDate)}</span>,
  },
  { title: 'สถานะ', width: 108, render: (_, user) => <Standing user={user} /> },
]

export function UsersScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { name, roles, page, pageSize } = filters
  const list = useSteadyQuery(client.query(searchUsers, { query: { name: name || undefined, roles, page, pageSize } }))
  return (
    <>
      <PageHead title="ผู้ใช้งาน" />
      <FilterBar
        label="ตัวกรองผู้ใช้งาน"
        isFiltered={isFiltered}
        onReset={reset}
        onSearch={() => !list.isFetching && list.refetch()}
      >
        <SearchInput
          label="ชื่อ อีเมล เบอร์โทรเต็ม หรือรหัส LINE"
          value={name}
          width={300}
          onSearch={text => change({ name: text })}
        />
        <ChoicesFilter
          label="บทบาท"
          all="ทุกบทบาท"
          options={roleOptions}
          chosen={roles}
          width={260}
          onChange={chosen => change({ roles: chosen })}
        />
        <Button htmlType="submit" type="primary">
          ค้นหา
        </Button>
      </FilterBar>
      <ListSection label="รายการผู้ใช้งาน" query={list} failure="ไม่สามารถค้นหาได้ กรุณาลองอีกครั้ง">
        <Table
          rowKey="uid"
          dataSource={list.data?.rows}
          columns={columns}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 1000 }}
          sticky
          locale={{ emptyText: list.isPending ? ' ' : 'ไม่พบผู้ใช้งานตามตัวกรองนี้' }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change, MOST_COUNTED)}
        />
      </ListSection>
    </>
  )
}
