import type { Reply } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import {
  createFeedKey,
  feedStatementLines,
  listFeedKeys,
  revokeFeedKey,
} from '@shop/shared/statement/import-endpoints.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal, type TableColumnsType } from 'antd'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { ListCard } from './list-card.tsx'

type FeedKey = Reply<typeof listFeedKeys>[number]

/** Keys of machines that send statement lines, and how they send them. */
export function FeedSection() {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const keys = useQuery(client.query(listFeedKeys))
  const [isAdding, setIsAdding] = useState(false)
  const reload = () => queries.invalidateQueries({ queryKey: [listFeedKeys.path] })
  const revoke = async (id: string) => {
    try {
      await client.call(revokeFeedKey, { params: { id } })
      message.success('ยกเลิกคีย์แล้ว')
    } catch (error) {
      message.error({ content: `ยกเลิกคีย์ไม่สำเร็จ ${messageOf(error)}`, duration: 6 })
    }
    await reload()
  }
  const askRevoke = ({ id, name }: FeedKey) =>
    modal.confirm({
      title: `ยกเลิกคีย์ ${name}?`,
      content: 'เครื่องที่ใช้คีย์นี้จะส่งรายการธนาคารไม่ได้ทันที และนำคีย์กลับมาใช้ไม่ได้',
      okText: 'ยกเลิกคีย์',
      okButtonProps: { danger: true },
      cancelText: 'ปิด',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => revoke(id),
    })
  return (
    <>
      <ListCard
        title="คีย์ส่งรายการธนาคาร"
        list={keys}
        rowKey="id"
        columns={columnsOf(askRevoke)}
        width={640}
        emptyText="ยังไม่มีคีย์ รายการธนาคารเข้าได้จากการนำเข้าไฟล์เท่านั้น"
      >
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
          สร้างคีย์
        </Button>
      </ListCard>
      <HowToSend />
      {isAdding && <NewKeyDialog onMade={reload} onClose={() => setIsAdding(false)} />}
    </>
  )
}

const columnsOf = (onRevoke: (key: FeedKey) => void): TableColumnsType<FeedKey> => [
  { title: 'ชื่อ', render: (_, { name }) => <span className="strong breakable">{name}</span> },
  {
    title: 'สร้างเมื่อ',
    width: 210,
    render: (_, { createdAt, createdByName }) => (
      <>
        <div className="number small">{formatDateTime(createdAt)}</div>
        {createdByName && <div className="note muted">โดย {createdByName}</div>}
      </>
    ),
  },
  {
    title: 'ใช้ล่าสุด',
    width: 160,
    render: (_, { lastUsedAt }) =>
      lastUsedAt ? (
        <span className="number small">{formatDateTime(lastUsedAt)}</span>
      ) : (
        <span className="muted">ยังไม่เคยใช้</span>
      ),
  },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 110,
    render: (_, key) => (
      <Button type="link" size="small" danger aria-label={`ยกเลิกคีย์ ${key.name}`} onClick={() => onRevoke(key)}>
        ยกเลิกคีย์
      </Button>
    ),
  },
]

/** Names a new key, then shows it this once. */
function NewKeyDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const client = useClient()
  const [form] = Form.useForm<{ name: string }>()
  const create = useMutation({
    mutationFn: ({ name }: { name: string }) => client.call(createFeedKey, { body: { name: name.trim() } }),
    onSuccess: onMade,
  })
  const key = create.data?.key
  return (
    <Modal
      open
      title={key ? 'คีย์ใหม่' : 'สร้างคีย์'}
      okText={key ? 'บันทึกคีย์ไว้แล้ว' : 'สร้างคีย์'}
      cancelText="ปิด"
      cancelButtonProps={{ style: key ? { display: 'none' } : undefined }}
      confirmLoading={create.isPending}
      mask={{ closable: false }}
      closable={!create.isPending && !key}
      keyboard={!create.isPending && !key}
      onOk={() => (key ? onClose() : form.submit())}
      onCancel={onClose}
    >
      {key ? (
        <>
          <Alert
            type="warning"
            showIcon
            className="form-alert"
            title="คีย์นี้แสดงครั้งเดียว คัดลอกไปเก็บในที่ปลอดภัยก่อนปิดหน้าต่างนี้"
          />
          <div className="row">
            <code className="feed-key grow">{key}</code>
            <CopyButton text={key} what="คีย์" />
          </div>
        </>
      ) : (
        <>
          <FailureNote title={create.error && 'สร้างคีย์ไม่สำเร็จ'} text={messageOf(create.error)} />
          <Form form={form} layout="vertical" requiredMark={false} onFinish={values => create.mutate(values)}>
            <Form.Item
              name="name"
              label="ชื่อคีย์"
              extra="บอกว่าเครื่องใดใช้ เช่น ตัวดึงรายการ SCB"
              rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อคีย์' }]}
            >
              <Input autoFocus maxLength={60} autoComplete="off" />
            </Form.Item>
          </Form>
        </>
      )}
    </Modal>
  )
}

function HowToSend() {
  const example = `curl -X POST ${window.location.origin}${feedStatementLines.path} \\
  -H 'X-Feed-Key: <คีย์>' -H 'Content-Type: application/json' \\
  -d '{
    "accountNo": "0123456789",
    "lines": [{
      "at": "2026-11-20T13:58:04+07:00",
      "amountSatang": 27900,
      "detail": "รับโอนจาก SCB x7713",
      "fromBank": "014",
      "fromAccount": "x7713",
      "reference": "2026112000123"
    }]
  }'`
  return (
    <section className="card" aria-label="วิธีส่งรายการธนาคาร">
      <header>
        <h2 className="grow">วิธีส่งรายการธนาคาร</h2>
        <CopyButton text={example} what="ตัวอย่างคำสั่ง" />
      </header>
      <div className="card-part feed-how">
        <p>
          ส่งทีละไม่เกิน 5,000 รายการของบัญชีเดียว จำนวนเงินเป็นสตางค์ (เงินออกติดลบ) เวลาต้องมีเขตเวลา ส่งซ้ำได้ รายการเดิมจะไม่ถูกนับอีก
          และถ้ามีรายการใดผิด จะไม่รับทั้งชุด
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>{example}</pre>
      </div>
    </section>
  )
}
