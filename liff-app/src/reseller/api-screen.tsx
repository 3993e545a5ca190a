import { KEY_MODE, KEY_MODES } from '@shop/shared/reseller/reseller.ts'
import { BookOpen } from 'lucide-react'
import { ChoiceTabs } from '../ui/choice-tabs.tsx'
import { DOCS_PATH } from './address.ts'
import { KeysSection } from './keys-section.tsx'
import { usePlace } from './place.ts'
import { WebhooksSection } from './webhooks-section.tsx'

/** An agent's keys for machines, and where those are told about events. */
export default function ApiScreen() {
  const { place, go } = usePlace()
  const { mode } = place
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
        tabs={KEY_MODES.map(name => ({ name, label: KEY_MODE[name].label }))}
        onChange={next => go({ mode: next })}
      />
      {mode === 'test' && <p className="mb-2 text-ink-2 text-small">คีย์ทดสอบใช้เงินและสินค้าจำลอง ไม่มีการเติมหรือตัดเงินจริง</p>}
      <KeysSection mode={mode} />
      <WebhooksSection mode={mode} />
    </>
  )
}
