import { MESSAGE_TABS, type MessageTab } from '@shop/shared/chat/chat.ts'
import { type ChatMessageRow, listChatMessages, resendChatMessages } from '@shop/shared/chat/endpoints.ts'
import { MESSAGE } from '@shop/shared/chat/message.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Table, type TableColumnsType, Tabs } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { countText, pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { type Field, textUpTo, useUrlFilters } from '../ui/url-filters.ts'

const STATE: Record<MessageTab, { label: string; nothing: string }> = {
  dead: { label: 'ส่งไม่สำเร็จ', nothing: 'ไม่มีข้อความที่ส่งไม่สำเร็จ' },
  resendable: { label: 'ส่งอีกครั้งได้', nothing: 'ไม่มีข้อความที่ส่งอีกครั้งได้' },
  skipped: { label: 'ไม่ได้ส่ง', nothing: 'ไม่มีข้อความที่เว้นไว้' },
  waiting: { label: 'รอส่ง', nothing: 'ไม่มีข้อความรอส่ง' },
  sent: { label: 'ส่งแล้ว', nothing: 'ยังไม่มีข้อความที่ส่งแล้ว' },
}

const stateField: Field<MessageTab> = {
  read: ([text]) => MESSAGE_TABS.find(each => each === text) ?? MESSAGE_TABS[0],
  write: state => (state === MESSAGE_TABS[0] ? [] : [state]),
}
const fields = { state: stateField, text: textUpTo(60) }

/** Lists the shop's messages in LINE; those that were not delivered can be sent again. */
export function MessageList() {
  const client = useClient()
  const { filters, change, reset } = useUrlFilters(fields)
  const { state, text, page, pageSize } = filters
  const [chosen, setChosen] = useState<string[]>([])
  const list = useSteadyQuery(
    client.query(listChatMessages, { query: { state, text: text || undefined, page, pageSize } }),
  )
  const resend = useResend(() => setChosen([]))
  const isLoading = list.isPending || list.isPlaceholderData
  const rows = list.data?.rows ?? []
  const counts = list.data?.counts
  const show = (next: MessageTab) => {
    setChosen([])
    change({ state: next })
  }
  const ids = rows.filter(({ id, canResend }) => canResend && chosen.includes(id)).map(({ id }) => id)
  return (
    <>
      <FilterBar label="ตัวกรองข้อความ" isFiltered={text !== ''} onReset={reset}>
        <SearchInput
          label="เลขที่คำสั่งซื้อหรือรายการเติมเงิน"
          value={text}
          maxLength={60}
          width={260}
          onSearch={next => change({ text: next })}
        />
        {ids.length > 0 && (
          <Button type="primary" loading={resend.isPending} onClick={() => resend.mutate({ ids })}>
            ส่งอีกครั้ง {ids.length} ข้อความ
          </Button>
        )}
      </FilterBar>
      <ListSection
        label="ข้อความ"
        query={list}
        head={
          <Tabs
            activeKey={state}
            onChange={key => show(key as MessageTab)}
            items={MESSAGE_TABS.map(key => ({ key, label: <TabLabel tab={key} count={counts?.[key]} /> }))}
          />
        }
      >
        <Table<ChatMessageRow>
          rowKey="id"
          dataSource={rows}
          columns={[...columns, ...(state === 'sent' || state === 'waiting' ? [] : [resendColumn(resend)])]}
          rowSelection={
            rows.some(({ canResend }) => canResend)
              ? {
                  selectedRowKeys: chosen,
                  onChange: keys => setChosen(keys.map(String)),
                  getCheckboxProps: row => ({ disabled: !row.canResend, 'aria-label': `เลือก ${row.text}` }),
                }
              : undefined
          }
          loading={isLoading}
          scroll={{ x: 960 }}
          locale={{
            emptyText: isLoading ? (
              ' '
            ) : (
              <NothingFound text={text ? `ไม่พบ "${text}"` : STATE[state].nothing}>
                {state !== 'sent' && counts && counts.sent > 0 && (
                  <Button type="link" onClick={() => show('sent')}>
                    ดูที่ส่งแล้ว {countText(counts.sent, MOST_COUNTED)} ข้อความ
                  </Button>
                )}
              </NothingFound>
            ),
          }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change, MOST_COUNTED)}
        />
      </ListSection>
    </>
  )
}

/** What went wrong stands out; an empty tab and what was sent do not. */
function TabLabel({ tab, count = 0 }: { tab: MessageTab; count?: number }) {
  return (
    <span className="row">
      {STATE[tab].label}
      {count > 0 && (
        <span className={tab === 'dead' ? 'tag is-bad count' : 'tag count'}>{countText(count, MOST_COUNTED)}</span>
      )}
    </span>
  )
}

function useResend(onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const resend = useMutation({
    mutationFn: (body: { ids: string[]; evenIfSeen?: boolean }) => client.call(resendChatMessages, { body }),
    onSuccess: ({ resent }) => {
      if (resent > 0) message.success(`กำลังส่งอีกครั้ง ${resent} ข้อความ`)
      else message.info('ข้อความนี้ถูกส่งไปแล้ว')
      onDone()
    },
    onError: (error, { ids }) => {
      if (error instanceof AppError && error.code === 'MESSAGE_MAY_BE_SEEN')
        modal.confirm({
          title: 'ส่งอีกครั้งทั้งที่ผู้รับอาจเห็นแล้ว?',
          content: messageOf(error),
          okText: `ส่งอีกครั้ง ${ids.length} ข้อความ`,
          cancelText: 'ไม่ส่ง',
          onOk: () => resend.mutate({ ids, evenIfSeen: true }),
        })
      else message.error({ content: `ส่งอีกครั้งไม่สำเร็จ ${messageOf(error)}`, duration: 6 })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listChatMessages.path] }),
  })
  return resend
}

const isOrderNo = (about: string) => about.startsWith('KT')

const columns: TableColumnsType<ChatMessageRow> = [
  {
    title: 'เวลา',
    width: 150,
    render: (_, { settledAt, createdAt }) => (
      <span className="number small">{formatDateTimeSeconds(settledAt ?? createdAt)}</span>
    ),
  },
  {
    title: 'ถึง',
    width: 190,
    render: (_, { recipientName, isRoom }) => (
      <span className="breakable">{recipientName ?? (isRoom ? 'กลุ่มที่เลิกผูกแล้ว' : 'ไม่ทราบชื่อ')}</span>
    ),
  },
  {
    title: 'ข้อความ',
    render: (_, { kind, text, reason }) => (
      <>
        <div className="strong">{MESSAGE[kind].label}</div>
        <div className="note muted breakable chat-text">{text}</div>
        {reason && <div className="note chat-reason breakable">{reason}</div>}
      </>
    ),
  },
  {
    title: 'เกี่ยวกับ',
    width: 170,
    render: (_, { about }) =>
      about && isOrderNo(about) ? (
        <Link className="number" to={`/management/details/${about}`}>
          {about}
        </Link>
      ) : (
        <span className="number">{about}</span>
      ),
  },
]

const resendColumn = (resend: ReturnType<typeof useResend>): TableColumnsType<ChatMessageRow>[number] => ({
  title: <span className="sr-only">จัดการ</span>,
  width: 130,
  render: (_, { id, canResend, text }) =>
    canResend && (
      <Button
        aria-label={`ส่งอีกครั้ง ${text}`}
        loading={resend.isPending && resend.variables.ids.includes(id)}
        onClick={() => resend.mutate({ ids: [id] })}
      >
        ส่งอีกครั้ง
      </Button>
    ),
})
