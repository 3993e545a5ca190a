import { ROLE_LABELS, SIGN_IN_PROVIDER, type SignInProvider } from '@shop/shared/account/account.ts'
import { type Me, searchUsers } from '@shop/shared/account/endpoints.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { ROLES } from '@shop/shared/permissions.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, Table, type TableColumnsType } from 'antd'
import { Link } from 'react-router-dom'
import { ChoicesFilter, FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { choicesField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { EmailCell } from './email-cell.tsx'
import { useClient } from './session.tsx'
import { StatusChip } from './status-chip.tsx'
import { useSteadyQuery } from './use-steady-query.ts'

const roleOptions = ROLES.map(value => ({ value, label: ROLE_LABELS[value] }))
const fields = { name: textField, roles: choicesField(ROLES) }

const columnsFrom = (firstNo: number): TableColumnsType<Me> => [
  { title: 'ลำดับ', width: 64, render: (_, __, index) => firstNo + index },
  { title: 'อีเมล', render: (_, user) => <EmailCell address={user} /> },
  { title: 'ชื่อ', render: (_, { displayName }) => displayName },
  { title: 'แต้ม', dataIndex: 'reward', align: 'right', width: 72 },
  { title: 'วันที่สมัคร', width: 168, className: 'number', render: (_, user) => formatDateTimeSeconds(user.createdDate) },
  { title: 'สถานะ', width: 104, render: (_, { isActived }) => <StatusChip isActived={isActived} /> },
  {
    title: 'ประเภทบัญชี',
    width: 140,
    render: (_, { providers }) =>
      providers.map(each => SIGN_IN_PROVIDER[each as SignInProvider]?.name ?? each).join(', '),
  },
  { title: 'บทบาท', width: 116, dataIndex: 'roleName' },
  {
    title: <span className="sr-only">รายละเอียด</span>,
    width: 108,
    fixed: 'right',
    render: (_, { uid, displayName }) => (
      <Link to={`/user/${encodeURIComponent(uid)}`} aria-label={`รายละเอียดของ ${displayName}`}>
        รายละเอียด
      </Link>
    ),
  },
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
        <SearchInput label="ชื่อผู้ใช้ ชื่อ หรืออีเมล" value={name} width={260} onSearch={text => change({ name: text })} />
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
          columns={columnsFrom((page - 1) * pageSize + 1)}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 1180 }}
          sticky
          locale={{ emptyText: list.isPending ? ' ' : 'ไม่พบผู้ใช้งานตามตัวกรองนี้' }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change, MOST_COUNTED)}
        />
      </ListSection>
    </>
  )
}
