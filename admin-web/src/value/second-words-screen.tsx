import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { giveSecondWord, listSecondWords, type SecondWord } from '@shop/shared/value/endpoints.ts'
import { labelOfMove, WORD_STATES } from '@shop/shared/value/value.ts'
import { formatDateTimeSeconds, formatShort } from '@shop/web/dates.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Space, Table, type TableColumnsType, Tabs } from 'antd'
import { useState } from 'react'
import { Age } from '../account/age.tsx'
import { useClient } from '../account/session.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { TwoLines } from '../ui/two-lines.tsx'
import { flagField, useUrlFilters } from '../ui/url-filters.ts'
import { Evidence } from '../upload/evidence.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { whatMoves } from './what-moves.tsx'
import './value.css'

const fields = { settled: flagField }

/** Requests that one person may not carry out alone, and that wait for a second person. */
export function SecondWordsScreen() {
  const client = useClient()
  const { filters, change } = useUrlFilters(fields)
  const [refusing, setRefusing] = useState<SecondWord | null>(null)
  const { settled, page, pageSize } = filters
  const query = { state: settled ? 'settled' : 'waiting', page, pageSize } as const
  const list = useQuery({ ...client.query(listSecondWords, { query }), placeholderData: keepPreviousData })
  const isLoading = list.isPending || list.isPlaceholderData
  const empty = settled ? 'ยังไม่มีรายการที่จบแล้ว' : 'ไม่มีรายการรอคนที่สอง'
  return (
    <>
      <PageHead title="รอคนที่สอง" about="รายการเหล่านี้ยังไม่เกิดขึ้น จนกว่าคนอื่นที่มีสิทธิ์จะตรวจและยืนยันภายใน 24 ชั่วโมง" />
      <ListSection
        label="รอคนที่สอง"
        query={list}
        head={
          <Tabs
            activeKey={settled ? 'settled' : 'waiting'}
            onChange={key => change({ settled: key === 'settled' })}
            items={[
              { key: 'waiting', label: 'รอยืนยัน' },
              { key: 'settled', label: 'จบแล้ว' },
            ]}
          />
        }
      >
        <Table<SecondWord>
          rowKey="id"
          dataSource={list.data?.rows}
          columns={[
            settled
              ? asked
              : { ...asked, render: (_, word) => <WaitingSince word={word} now={list.data?.nowDate ?? ''} /> },
            ...columns,
            // Of most requests there is none, and what is asked for needs the room.
            ...(list.data?.rows.some(row => row.evidence) ? [evidence] : []),
            settled ? outcome : { ...actions, render: (_, word) => <Actions word={word} onRefuse={setRefusing} /> },
          ]}
          loading={isLoading}
          scroll={{ x: 1170 }}
          sticky
          locale={{ emptyText: isLoading ? ' ' : <NothingFound text={empty} /> }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
      {refusing && <RefuseDialog word={refusing} onClose={() => setRefusing(null)} />}
    </>
  )
}

const asked: TableColumnsType<SecondWord>[number] = {
  title: 'ขอเมื่อ',
  width: 150,
  render: (_, { askedAt }) => <span className="number small">{formatDateTimeSeconds(askedAt)}</span>,
}

function WaitingSince({ word: { askedAt }, now }: { word: SecondWord; now: string }) {
  return (
    <TwoLines note={<span className="number">{formatDateTimeSeconds(askedAt)}</span>}>
      <Age kind="secondWords" since={askedAt} now={now} prefix="รอ " />
    </TwoLines>
  )
}

const columns: TableColumnsType<SecondWord> = [
  {
    title: 'ผู้ขอ',
    width: 150,
    render: (_, { askedBy, askedByName, isOwn }) => (
      <TwoLines note={isOwn && 'คุณ'}>
        <span className="breakable">{askedByName ?? askedBy}</span>
      </TwoLines>
    ),
  },
  ...whatMoves<SecondWord>(),
]

const evidence: TableColumnsType<SecondWord>[number] = {
  title: 'หลักฐาน',
  width: 190,
  render: (_, row) => (row.evidence ? <Evidence {...row.evidence} /> : <span className="muted">–</span>),
}

const actions: TableColumnsType<SecondWord>[number] = { title: <span className="sr-only">จัดการ</span>, width: 230 }

const outcome: TableColumnsType<SecondWord>[number] = {
  title: 'ผล',
  width: 220,
  render: (_, { state, decidedAt, decidedByName, reason }) => (
    <TwoLines note={[decidedByName, decidedAt && formatDateTimeSeconds(decidedAt), reason].filter(Boolean).join(' · ')}>
      <b className="strong">{WORD_STATES[state]}</b>
    </TwoLines>
  ),
}

function Actions({ word, onRefuse }: { word: SecondWord; onRefuse: (word: SecondWord) => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const give = useMutation({
    mutationFn: () => client.call(giveSecondWord, { params: { id: word.id } }),
    onSuccess: ({ isDone }) => {
      message.success(isDone ? 'ยืนยันแล้ว รายการทำเสร็จแล้ว' : 'ยืนยันแล้ว ผู้ขอทำรายการต่อได้ภายใน 24 ชั่วโมง')
    },
    onError: error => message.error({ content: `ยืนยันไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
    // A confirmed request may change what any other page shows.
    onSettled: () => queries.invalidateQueries(),
  })
  if (word.isOwn)
    return (
      <>
        <div className="note muted">รอคนอื่นยืนยัน ถึง {formatShort(word.expiresAt)}</div>
        <Button type="link" size="small" style={{ padding: 0 }} onClick={() => onRefuse(word)}>
          ยกเลิกคำขอ
        </Button>
      </>
    )
  if (word.barrier) return <span className="note muted">คุณยืนยันไม่ได้ {word.barrier}</span>
  const about = [labelOfMove(word.kind), word.amountSatang > 0 && `฿${formatBaht(word.amountSatang)}`]
    .filter(Boolean)
    .join(' ')
  const ask = () =>
    modal.confirm({
      title: `ยืนยัน ${about}?`,
      content: (
        <>
          <p className="breakable">
            {word.askedByName ?? word.askedBy}: {word.note}
          </p>
          {word.evidence && <Evidence {...word.evidence} />}
          <p>รายการนี้จะเกิดขึ้นทันที และบันทึกชื่อคุณเป็นคนที่สอง</p>
        </>
      ),
      okText: 'ยืนยัน',
      cancelText: 'ปิด',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => give.mutateAsync().catch(() => undefined),
    })
  return (
    <Space>
      <Button type="primary" loading={give.isPending} aria-label={`ยืนยัน ${about}`} onClick={ask}>
        ยืนยัน
      </Button>
      <Button disabled={give.isPending} aria-label={`ไม่ยืนยัน ${about}`} onClick={() => onRefuse(word)}>
        ไม่ยืนยัน
      </Button>
    </Space>
  )
}
