import type { SupplierHealth, SupplierSettings } from '@shop/shared/supplier/endpoints.ts'
import { REJECTION } from '@shop/shared/supplier/supplier.ts'
import { formatClock } from '@shop/web/dates.ts'

type Standing = Pick<SupplierHealth | SupplierSettings, 'isOn' | 'stopped' | 'brokenUntil'>

/** What is said of anything that the supplier has not told yet. */
export const UNKNOWN = 'ไม่ทราบ'

/** Says in one word whether a supplier buys now, and why not. */
export function StandingTag({ supplier }: { supplier: Standing }) {
  const { text, tone } = standingOf(supplier)
  return <span className={`tag is-${tone}`}>{text}</span>
}

function standingOf({ isOn, stopped, brokenUntil }: Standing): {
  text: string
  tone: 'ok' | 'warn' | 'bad' | 'neutral'
} {
  if (stopped) return { text: `หยุดอยู่: ${REJECTION[stopped.reason].text}`, tone: 'bad' }
  if (!isOn) return { text: 'ปิด', tone: 'neutral' }
  if (brokenUntil) return { text: `พักถึง ${formatClock(brokenUntil)} เพราะตอบไม่แน่นอนหลายครั้ง`, tone: 'warn' }
  return { text: 'ซื้อได้', tone: 'ok' }
}
