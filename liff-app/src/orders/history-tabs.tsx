import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { ORDER_TABS, type OrderTab } from '@shop/shared/order/tabs.ts'
import { classes } from '../ui/classes.ts'

export type TabName = 'all' | OrderTab

export const TABS: Record<TabName, { label: string; none: string }> = {
  all: { label: 'ทั้งหมด', none: 'ยังไม่มีคำสั่งซื้อ' },
  pay: { label: 'รอชำระ', none: 'ไม่มีรายการรอชำระ' },
  underWay: { label: 'กำลังเติม', none: 'ไม่มีรายการที่กำลังเติม' },
  done: { label: 'สำเร็จ', none: 'ยังไม่มีรายการที่เติมสำเร็จ' },
  trouble: { label: 'มีปัญหา', none: 'ไม่มีรายการที่มีปัญหา' },
}

interface HistoryTabsProps {
  current: TabName
  /** Unknown until the first page has come. */
  counts?: Record<TabName, number>
  onChange: (tab: TabName) => void
}

/** The tabs of a buyer's orders with how many stand under each. On a narrow phone they scroll sideways. */
export const HistoryTabs = ({ current, counts, onChange }: HistoryTabsProps) => (
  <div className="-mx-4 mt-2.5 mb-3 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] lg:mx-0 lg:px-0">
    <fieldset className="flex min-w-max gap-0.5 max-sm:justify-between sm:gap-1">
      <legend className="sr-only">สถานะของคำสั่งซื้อ</legend>
      {(['all', ...ORDER_TABS] as const).map(tab => (
        <button
          key={tab}
          type="button"
          aria-pressed={tab === current}
          className={classes(
            'flex min-h-11 items-center gap-1 whitespace-nowrap border-b-2 px-1 text-note sm:px-3 sm:text-small',
            tab === current
              ? 'border-accent font-semibold text-accent'
              : 'border-transparent text-ink-2 hover:text-ink',
          )}
          onClick={() => onChange(tab)}
        >
          {TABS[tab].label}
          <Count of={counts?.[tab] ?? 0} />
        </button>
      ))}
    </fieldset>
  </div>
)

const Count = ({ of }: { of: number }) =>
  of > 0 && <span className="text-note tabular-nums">{of > MOST_COUNTED ? '1,000+' : of.toLocaleString('en-US')}</span>
