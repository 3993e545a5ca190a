import type { Reply } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { FEED_KEY_END } from '@shop/shared/statement/feed-key.ts'
import { feedStatementLines, listFeedKeys, revokeFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, type TableColumnsType } from 'antd'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { nameOfAccount, useStatementAccounts } from '../statement/account-select.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { ListCard } from './list-card.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { TakeBackDialog } from './take-back-dialog.tsx'

type FeedKey = Reply<typeof listFeedKeys>[number]

/** The keys of programs that send statement lines, and an example of how to send them. */
export function FeedSection() {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const keys = useQuery(client.query(listFeedKeys))
  const accounts = useStatementAccounts()
  const [isAdding, setIsAdding] = useState(false)
  const [takenBack, setTakenBack] = useState<FeedKey | null>(null)
  const accountName = (id: number | null) => {
    const account = accounts.data?.find(each => each.id === id)
    return account ? nameOfAccount(account) : '–'
  }
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
        columns={columnsOf(accountName, { onRevoke: askRevoke, onTakeBack: setTakenBack })}
        width={740}
        emptyText="ยังไม่มีคีย์ รายการธนาคารเข้าได้จากการนำเข้าไฟล์เท่านั้น"
      >
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
          สร้างคีย์
        </Button>
      </ListCard>
      <HowToSend />
      {takenBack && (
        <TakeBackDialog
          id={takenBack.id}
          name={takenBack.name}
          onDone={() => void reload()}
          onClose={() => setTakenBack(null)}
        />
      )}
      {isAdding && <NewKeyDialog onMade={reload} onClose={() => setIsAdding(false)} />}
    </>
  )
}

const columnsOf = (
  accountName: (id: number | null) => string,
  { onRevoke, onTakeBack }: Record<'onRevoke' | 'onTakeBack', (key: FeedKey) => void>,
): TableColumnsType<FeedKey> => [
  {
    title: 'ชื่อ',
    render: (_, { name, prefix, end }) => (
      <>
        <div className="strong breakable">{name}</div>
        <div className="note muted">
          {prefix && <code>{prefix}…</code>} {end && <span className="tag">{FEED_KEY_END[end].label}</span>}
        </div>
      </>
    ),
  },
  { title: 'ของบัญชี', width: 132, render: (_, { receivingAccountId }) => accountName(receivingAccountId) },
  {
    title: 'สร้างเมื่อ',
    width: 164,
    render: (_, { createdAt, createdByName }) => (
      <TwoLines note={createdByName && `โดย ${createdByName}`}>
        <span className="number small">{formatDateTimeSeconds(createdAt)}</span>
      </TwoLines>
    ),
  },
  {
    title: 'ใช้ล่าสุด',
    width: 164,
    render: (_, { lastUsedAt, expiresAt, end }) => (
      <TwoLines note={end === null && (expiresAt ? `หมดอายุ ${formatDateTimeSeconds(expiresAt)}` : 'ไม่มีวันหมดอายุ')}>
        <span className="number small">{lastUsedAt ? formatDateTimeSeconds(lastUsedAt) : 'ยังไม่เคยใช้'}</span>
      </TwoLines>
    ),
  },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 136,
    render: (_, key) => (
      <>
        <Button
          type="link"
          size="small"
          danger
          aria-label={`เพิกถอนรายการของ ${key.name}`}
          onClick={() => onTakeBack(key)}
        >
          เพิกถอนรายการ
        </Button>
        {key.end !== 'revoked' && (
          <Button type="link" size="small" danger aria-label={`ยกเลิกคีย์ ${key.name}`} onClick={() => onRevoke(key)}>
            ยกเลิกคีย์
          </Button>
        )}
      </>
    ),
  },
]

function HowToSend() {
  const example = `curl -X POST ${window.location.origin}${feedStatementLines.path} \\
  -H 'X-Feed-Key: <คีย์>' -H 'Content-Type: application/json' \\
  -d '{
    "accountNo": "0123456789",
    "lines": [{
      "at": "2026-11-20T13:58:04+07:00",
      "amountSatang": 27900,
      "balanceSatang": 1973541,
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
          ส่งทีละไม่เกิน 5,000 รายการของบัญชีที่คีย์นั้นเป็นของ จำนวนเงินเป็นสตางค์ (เงินออกติดลบ) ถ้าธนาคารบอกยอดคงเหลือให้ส่ง balanceSatang
          ทุกรายการ เวลาต้องมีเขตเวลา ส่งซ้ำได้ รายการเดิมจะไม่ถูกนับอีก และถ้ามีรายการใดผิด จะไม่รับทั้งชุด
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>{example}</pre>
      </div>
    </section>
  )
}
