import { ORDER_TABS, type OrderTab } from '@shop/shared/order/tabs.ts'
import { ChoiceTabs } from '../ui/choice-tabs.tsx'

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

/** The tabs of a buyer's orders with how many stand under each. */
export const HistoryTabs = ({ current, counts, onChange }: HistoryTabsProps) => (
  <ChoiceTabs
    label="สถานะของคำสั่งซื้อ"
    current={current}
    tabs={(['all', ...ORDER_TABS] as const).map(name => ({ name, label: TABS[name].label, count: counts?.[name] }))}
    spread
    onChange={onChange}
  />
)
