import { Button } from 'antd'

/** The API takes this many packages at once. */
const MOST_PACKAGES = 1000

/** What can be done with the chosen packages. */
export function BulkBar(props: {
  count: number
  onOpen: (open: { what: 'activate' | 'deactivate' | 'changePrice' }) => void
  onClear: () => void
}) {
  const { count, onOpen, onClear } = props
  if (count === 0) return null
  const isTooMany = count > MOST_PACKAGES
  return (
    <section className="save-bar" aria-label="แพ็กเกจที่เลือก">
      <div className="grow" role="status">
        <span className="strong">เลือก {count.toLocaleString('en-US')} แพ็กเกจ</span>
        {isTooMany && <span className="is-bad"> · ทำได้ครั้งละ {MOST_PACKAGES.toLocaleString('en-US')} แพ็กเกจ</span>}
      </div>
      <Button type="link" onClick={onClear}>
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
