import { messageOf } from '@shop/shared/errors.ts'
import { approveErasure, type Erasure, listErasures } from '@shop/shared/privacy/endpoints.ts'
import { ERASED_NAME, ERASURE_BARRIER, ERASURE_STATES } from '@shop/shared/privacy/erasure.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Table, type TableColumnsType, Tabs } from 'antd'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { isSentOn } from '../ui/sent-on.ts'
import { TwoLines } from '../ui/two-lines.tsx'
import { flagField, useUrlFilters } from '../ui/url-filters.ts'

const fields = { over: flagField }

/** Requests of customers to erase their accounts, with what stands against each. */
export function ErasuresScreen() {
  const client = useClient()
  const { filters, change } = useUrlFilters(fields)
  const { over, page, pageSize } = filters
  const query = { state: over ? 'over' : 'open', page, pageSize } as const
  const list = useQuery({ ...client.query(listErasures, { query }), placeholderData: keepPreviousData })
  const isLoading = list.isPending || list.isPlaceholderData
  const { title } = STAFF_PAGE.erasures
  return (
    <>
      <PageHead
        title={title}
        about="เจ้าของบัญชีขอเองในหน้าบัญชี ต้องอนุมัติสองคน แล้วระบบลบให้ภายในหนึ่งวัน กฎหมายให้ตอบภายใน 30 วัน"
      />
      <ListSection
        label={title}
        query={list}
        head={
          <Tabs
            activeKey={over ? 'over' : 'open'}
            onChange={key => change({ over: key === 'over' })}
            items={[
              { key: 'open', label: 'ยังไม่จบ' },
              { key: 'over', label: 'จบแล้ว' },
            ]}
          />
        }
      >
        <Table<Erasure>
          rowKey="id"
          dataSource={list.data?.rows}
          columns={over ? columns : [...columns, actions]}
          loading={isLoading}
          scroll={{ x: 980 }}
          sticky
          locale={{
            emptyText: isLoading ? ' ' : <NothingFound text={over ? 'ยังไม่มีคำขอที่จบแล้ว' : 'ไม่มีคำขอที่รออยู่'} />,
          }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

const at = (moment: string | null) =>
  moment ? <span className="number small">{formatDateTimeSeconds(moment)}</span> : <span className="muted">-</span>

const columns: TableColumnsType<Erasure> = [
  { title: 'ขอเมื่อ', width: 160, render: (_, { askedAt }) => at(askedAt) },
  {
    title: 'บัญชี',
    width: 220,
    render: (_, { account }) =>
      account ? (
        <Link className="breakable" to={STAFF_PAGE.user.path.replace(':uid', encodeURIComponent(account.uid))}>
          {account.name}
        </Link>
      ) : (
        <span className="muted">{ERASED_NAME}</span>
      ),
  },
  {
    title: 'สถานะ',
    width: 260,
    render: (_, { state, barriers }) => (
      <TwoLines
        note={
          barriers.length > 0 && (
            <span className="is-bad breakable">{barriers.map(each => ERASURE_BARRIER[each]).join(' · ')}</span>
          )
        }
      >
        <b className="strong">{ERASURE_STATES[state]}</b>
      </TwoLines>
    ),
  },
  {
    title: 'อนุมัติ',
    width: 200,
    render: (_, { approvedAt, approvedByName, secondByName }) => (
      <TwoLines note={[approvedByName, secondByName].filter(Boolean).join(' และ ')}>{at(approvedAt)}</TwoLines>
    ),
  },
  { title: 'จบเมื่อ', width: 160, render: (_, { endedAt }) => at(endedAt) },
]

const actions: TableColumnsType<Erasure>[number] = {
  title: <span className="sr-only">จัดการ</span>,
  width: 120,
  render: (_, erasure) => erasure.state === 'asked' && <Approve erasure={erasure} />,
}

function Approve({ erasure: { id, account, barriers } }: { erasure: Erasure }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const name = account?.name ?? ERASED_NAME
  const approve = useMutation({
    mutationFn: () => client.call(approveErasure, { params: { id } }),
    onSuccess: () => message.success('อนุมัติแล้ว บัญชีปิดทันที และระบบจะลบข้อมูลภายในหนึ่งวัน'),
    onError: error => !isSentOn(error) && message.error({ content: messageOf(error), duration: 6 }),
    onSettled: () => queries.invalidateQueries({ queryKey: [listErasures.path] }),
  })
  const ask = () =>
    modal.confirm({
      title: `อนุมัติลบข้อมูลของ ${name}?`,
      content: 'บัญชีปิดทันทีเมื่อคนที่สองยืนยัน ข้อมูลที่ลบแล้วเอากลับมาไม่ได้ ยอดในบัญชีร้านยังอยู่ครบ โดยไม่มีชื่อลูกค้า',
      okText: 'อนุมัติ',
      okButtonProps: { danger: true },
      cancelText: 'ปิด',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => approve.mutate(),
    })
  return (
    <Button
      danger
      loading={approve.isPending}
      disabled={barriers.length > 0}
      aria-label={`อนุมัติลบข้อมูลของ ${name}`}
      onClick={ask}
    >
      อนุมัติ
    </Button>
  )
}
