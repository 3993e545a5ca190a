import { Button } from 'antd'
import type { Open } from './package-dialogs.tsx'
import type { Selection } from './use-selection.ts'

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
      <Button disabled={isTooMany} onClick={() => onOpen({ what: 'activate' })}>
        เปิดใช้งาน
      </Button>
      <Button disabled={isTooMany} onClick={() => onOpen({ what: 'deactivate' })}>
        ปิดใช้งาน
      </Button>
      <Button disabled={isTooMany} onClick={() => onOpen({ what: 'changePrice' })}>
        เปลี่ยนราคา
      </Button>
    </section>
  )
}
