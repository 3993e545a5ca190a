import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { type LineCandidate, type StatementLineView, searchStatementTargets } from '@shop/shared/statement/endpoints.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Modal, Table, type TableColumnsType } from 'antd'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { TwoLines } from '../ui/two-lines.tsx'
import { Reasons, TargetStatus } from './candidates.tsx'
import { timeOf } from './line-texts.ts'

interface Values {
  no?: string
  amount?: string
  game?: string
  package?: string
}

const paging = { page: 1, pageSize: 10 }

async function checkAmount(_: unknown, text: string | undefined) {
  if (text?.trim() && parseBaht(text) === null)
    throw new Error(commaQuestion(text) ?? 'กรุณากรอกจำนวนเงินเป็นตัวเลข เช่น 149.37')
}

/** Searches for the order or top-up that a line paid ("Map SO"). */
export function FindTargetDialog(props: {
  line: StatementLineView
  onChoose: (candidate: LineCandidate) => void
  onClose: () => void
}) {
  const { line, onChoose, onClose } = props
  const client = useClient()
  const [asked, setAsked] = useState<Values | null>(null)
  const [pages, setPages] = useState(paging)
  const { amount = '', ...texts } = asked ?? {}
  const found = useQuery({
    ...client.query(searchStatementTargets, {
      params: { id: line.id },
      query: { ...texts, amountSatang: parseBaht(amount) ?? undefined, ...pages },
    }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })
  const search = (values: Values) => {
    setPages({ ...pages, page: 1 })
    setAsked(values)
    // The same search is sent again, because its result may have changed.
    if (JSON.stringify(values) === JSON.stringify(asked)) void found.refetch()
  }
  return (
    <Modal open width={960} title="ค้นหาคำสั่งซื้อหรือรายการเติมเงิน" footer={null} style={{ top: 40 }} onCancel={onClose}>
      <p className="muted number form-alert" style={{ whiteSpace: 'normal' }}>
        เงินเข้า ฿{formatBaht(line.amountSatang)} · {timeOf(line)}
      </p>
      <Form<Values> layout="vertical" requiredMark={false} onFinish={search} className="find-fields">
        <Form.Item name="no" label="เลขที่">
          <Input autoFocus maxLength={20} autoComplete="off" placeholder="เช่น KT2611-004815" />
        </Form.Item>
        <Form.Item name="amount" label="จำนวนเงิน (บาท)" rules={[{ validator: checkAmount }]}>
          <Input inputMode="decimal" maxLength={16} autoComplete="off" />
        </Form.Item>
        <Form.Item name="game" label="เกม">
          <Input maxLength={60} autoComplete="off" />
        </Form.Item>
        <Form.Item name="package" label="แพ็กเกจ">
          <Input maxLength={60} autoComplete="off" />
        </Form.Item>
        <Button htmlType="submit" type="primary" icon={<Search size={16} aria-hidden />} loading={found.isFetching}>
          ค้นหา
        </Button>
      </Form>
      {found.isError ? (
        <LoadError error={found.error} onRetry={() => found.refetch()} />
      ) : (
        asked && (
          <Table<LineCandidate>
            size="small"
            aria-label="ผลการค้นหา"
            rowKey={({ target }) => target.id}
            loading={found.isPending || found.isPlaceholderData}
            dataSource={found.data?.rows}
            columns={columnsOf(onChoose)}
            scroll={{ x: 760 }}
            locale={{ emptyText: found.isPending ? ' ' : <NothingFound text="ไม่พบรายการที่ค้นหา" /> }}
            pagination={pagerOf(pages, found.data?.total ?? 0, setPages, MOST_COUNTED)}
          />
        )
      )}
    </Modal>
  )
}

const columnsOf = (onChoose: (candidate: LineCandidate) => void): TableColumnsType<LineCandidate> => [
  {
    title: 'เลขที่ / วันที่',
    width: 160,
    render: (_, { target, createdAt }) => (
      <TwoLines note={<span className="number">{formatDateTimeSeconds(createdAt)}</span>}>
        <span className="number">{target.no}</span>
      </TwoLines>
    ),
  },
  {
    title: 'รายการ',
    render: (_, { title, reasons }) => (
      <>
        <div className="strong">{title}</div>
        <Reasons reasons={reasons} />
      </>
    ),
  },
  { title: 'สถานะ', width: 116, render: (_, row) => <TargetStatus {...row} /> },
  {
    title: 'ยอด (บาท)',
    width: 120,
    align: 'right',
    render: (_, { amountSatang }) => <span className="number">{formatBaht(amountSatang)}</span>,
  },
  {
    title: <span className="sr-only">เลือก</span>,
    width: 80,
    render: (_, candidate) =>
      candidate.needs !== 'impossible' && (
        <Button type="link" size="small" aria-label={`เลือก ${candidate.target.no}`} onClick={() => onChoose(candidate)}>
          เลือก
        </Button>
      ),
  },
]
