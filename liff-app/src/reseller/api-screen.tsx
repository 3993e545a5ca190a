import { listKeys } from '@shop/shared/reseller/key-endpoints.ts'
import { KEY_MODE, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { ChoiceTabs } from '../ui/choice-tabs.tsx'
import { DOCS_PATH } from './address.ts'
import { CallsSection } from './calls-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { MODES_IN_ORDER, usePlace } from './place.ts'
import { WebhooksSection } from './webhooks-section.tsx'

/**
 * The mode that the page shows: the address's, else the live one for an agent whose machines work, and the one to try with
 * for everybody else. A first key changes nothing on a page that is open, since its secret is being shown there.
 */
function useMode(): KeyMode {
  const { place } = usePlace()
  const keys = useQuery({ ...api.query(listKeys), staleTime: 0 })
  const [usual, setUsual] = useState<KeyMode | null>(null)
  const isLive = keys.data?.keys.some(({ mode, endedAt }) => mode === 'live' && endedAt === null)
  if (usual === null && isLive !== undefined) setUsual(isLive ? 'live' : 'test')
  return place.mode ?? usual ?? 'test'
}

/** An agent's keys for machines, and where those are told about events. */
export default function ApiScreen() {
  const { go } = usePlace()
  const mode = useMode()
  return (
    <>
      <h1 className="page-title">API สำหรับตัวแทน</h1>
      <p className="text-ink-2">ให้ระบบของคุณดูราคา สั่งซื้อ และรับแจ้งผลได้เอง</p>
      <p>
        <a href={DOCS_PATH} target="_blank" rel="noreferrer" className="link inline-flex min-h-11 items-center gap-2">
          <BookOpen size={18} className="flex-none" />
          เอกสาร API: วิธีเรียกทุกคำสั่ง พร้อมตัวอย่าง
        </a>
      </p>
      <ChoiceTabs
        label="โหมด"
        current={mode}
        tabs={MODES_IN_ORDER.map(name => ({ name, label: KEY_MODE[name].label }))}
        onChange={next => go({ mode: next })}
      />
      {mode === 'test' && <p className="mb-2 text-ink-2 text-small">คีย์ทดสอบใช้เงินและสินค้าจำลอง ไม่มีการเติมหรือตัดเงินจริง</p>}
      <KeysSection mode={mode} />
      <WebhooksSection mode={mode} />
      <CallsSection key={mode} mode={mode} />
    </>
  )
}
