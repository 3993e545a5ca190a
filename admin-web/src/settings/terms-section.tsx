import type { Reply } from '@shop/shared/endpoint.ts'
import { listTerms } from '@shop/shared/settings/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, type TableColumnsType } from 'antd'
import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { ListCard } from './list-card.tsx'
import { type TermsDraft, TermsEditor } from './terms-editor.tsx'
import { TermsText } from './terms-text.tsx'

type Terms = Reply<typeof listTerms>[number]

/** The terms that buyers accept: the version in force, all earlier ones, and the editor of the next one. */
export function TermsSection() {
  const client = useClient()
  const list = useQuery(client.query(listTerms))
  const [read, setRead] = useState<Terms | null>(null)
  const [draft, setDraft] = useState<TermsDraft | null>(null)
  const current = list.data?.[0]
  return (
    <>
      {current && !draft && <CurrentTerms terms={current} onWrite={() => setDraft(draftFrom(current))} />}
      {draft && <TermsEditor draft={draft} onDraft={setDraft} />}
      <ListCard
        title="ทุกฉบับ"
        list={list}
        rowKey="version"
        columns={columnsWith(current, setRead)}
        width={720}
        emptyText="ยังไม่มีข้อกำหนด"
      />
      {read && (
        <Modal open title={`ข้อกำหนดฉบับที่ ${read.version}`} footer={null} width={720} onCancel={() => setRead(null)}>
          <TermsText body={read.body} />
        </Modal>
      )}
    </>
  )
}

const draftFrom = ({ version, body }: Terms): TermsDraft => ({ fromVersion: version, fromBody: body, text: body })

function CurrentTerms({ terms, onWrite }: { terms: Terms; onWrite: () => void }) {
  return (
    <section className="card" aria-label="ฉบับที่ใช้อยู่">
      <header>
        <h2 className="grow">ฉบับที่ใช้อยู่: ฉบับที่ {terms.version}</h2>
        <Button type="primary" icon={<FilePlus2 size={16} aria-hidden />} onClick={onWrite}>
          เขียนฉบับใหม่
        </Button>
      </header>
      <div className="card-part">
        <TermsText body={terms.body} />
      </div>
    </section>
  )
}

const columnsWith = (current: Terms | undefined, onRead: (terms: Terms) => void): TableColumnsType<Terms> => [
  {
    title: 'ฉบับที่',
    width: 160,
    render: (_, terms) => (
      <>
        <span className="strong">{terms.version}</span>{' '}
        {terms.version === current?.version && <span className="tag is-ok">ใช้อยู่</span>}
      </>
    ),
  },
  {
    title: 'เผยแพร่เมื่อ',
    width: 180,
    render: (_, { publishedAt }) => <span className="number">{formatDateTimeSeconds(publishedAt)}</span>,
  },
  { title: 'โดย', render: (_, { publishedByName }) => publishedByName ?? 'ระบบ' },
  {
    title: 'ยอมรับแล้ว (ครั้ง)',
    width: 150,
    align: 'right',
    render: (_, { acceptances }) => <span className="number">{acceptances.toLocaleString('en-US')}</span>,
  },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 90,
    render: (_, terms) => (
      <Button type="link" size="small" aria-label={`อ่านฉบับที่ ${terms.version}`} onClick={() => onRead(terms)}>
        อ่าน
      </Button>
    ),
  },
]
