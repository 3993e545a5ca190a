import { Button } from 'antd'
import type { Open } from './package-dialogs.tsx'
import type { Selection } from './use-selection.ts'

const ACTIONS = [
  ['activate', 'เปิดใช้งาน'],
  ['deactivate', 'ปิดใช้งาน'],
  ['changePrice', 'เปลี่ยนราคา'],
] as const

/** Shows the actions for the selected packages. */
export function BulkBar({ selection, onOpen }: { selection: Selection; onOpen: (open: Open) => void }) {
  const { chosen, isTooMany, allText, chooseAll, clear } = selection
  if (!chosen) return null
  return (
    <section className="save-bar" aria-label="แพ็กเกจที่เลือก">
      <div className="grow" role="status">
        <span className="strong">เลือก {chosen.text}</span>
        {isTooMany && <span className="is-bad"> · มากเกินไป ใช้ตัวกรองแล้วเลือกทั้งหมดแทน</span>}
      </div>
      {allText && (
        <Button type="link" onClick={chooseAll}>
          เลือก{allText}
        </Button>
      )}
      <Button type="link" onClick={clear}>
        ล้างที่เลือก
      </Button>
      {ACTIONS.map(([what, label]) => (
        <Button key={what} disabled={isTooMany} onClick={() => onOpen({ what })}>
          {label}
        </Button>
      ))}
    </section>
  )
}
