import { QUEUE_GROUP, QUEUE_GROUPS, type QueueGroup } from '@shop/shared/order/queue.ts'
import type { QueueRow } from '@shop/shared/order/queue-endpoints.ts'
import type { StaffCommand } from '@shop/shared/order/staff-command.ts'
import { Button, Segmented, Skeleton } from 'antd'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { SlipServiceNotice } from '../slipcheck/service-notice.tsx'
import { SupplierNotice } from '../supplier/supplier-notice.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { useUrlChoice } from '../ui/url-filters.ts'
import { useSteadyCallback } from '../ui/use-steady-callback.ts'
import type { OrderKeys } from './order-actions.tsx'
import { OrderPanel, useAskOrder } from './order-panel.tsx'
import { QueueHelp, useLetterKeys } from './queue-help.tsx'
import { focusNext, focusOrder, useQueueKeys } from './queue-keys.ts'
import { isClaimable, QueueTable } from './queue-table.tsx'
import { useClaimMany } from './use-claim-many.tsx'
import { type ChangeableOrder, useOrderChange } from './use-order-change.tsx'
import { type QueueFilters, useAskQueue, useQueue, useQueueFilters } from './use-queue.ts'
import './queue.css'

const KEYS: OrderKeys = { copy: ['C', 'X', 'Z'], reference: 'R', fail: 'F', release: 'B' }
const NO_ROWS: QueueRow[] = []
/** After these commands the open order stays open, because it is the next one to work on. */
const STAYS: readonly StaffCommand[] = ['claim', 'markPaid']

/** The order to open after `orderNo`: the caller's next claimed one, else the next that can be claimed. */
function nextOf(rows: readonly QueueRow[], orderNo: string | null): string | null {
  const others = rows.filter(row => row.orderNo !== orderNo)
  const own = others.filter(({ group }) => group === 'mine')
  const open = others.filter(isClaimable)
  const at = rows.findIndex(row => row.orderNo === orderNo)
  const after = (some: QueueRow[]) => some.find(row => rows.indexOf(row) > at) ?? some[0]
  return (own[0] ? after(own) : after(open))?.orderNo ?? null
}

/** The paid orders that wait for delivery: staff claim them here and deliver them. */
export function QueueScreen() {
  const { filters, change: changeFilters } = useQueueFilters()
  const askQueue = useAskQueue()
  const change = (some: Partial<QueueFilters>) => {
    askQueue({ ...filters, ...some })
    changeFilters(some)
  }
  const [openNo, open] = useUrlChoice('order')
  const [ownChanges, setOwnChanges] = useState(0)
  const list = useQueue(filters)
  const rows = list.data?.rows ?? NO_ROWS
  // Hundreds of rows are drawn between two keys, not before the next one is heard.
  const drawn = useDeferredValue(list.data)
  const isDrawn = rows.length > 0 && drawn === list.data
  const focusWhenDrawn = useFocusWhenDrawn(isDrawn)
  const askOrder = useAskOrder()
  const show = useSteadyCallback((orderNo: string | null) => {
    if (orderNo) askOrder(orderNo)
    focusWhenDrawn(orderNo)
    open(orderNo)
  })

  const afterChange = ({ orderNo }: ChangeableOrder, command: StaffCommand) => {
    setOwnChanges(count => count + 1)
    show(STAYS.includes(command) ? orderNo : nextOf(rows, orderNo))
  }
  const { ask, busy, dialog } = useOrderChange(afterChange)
  const many = useClaimMany(rows, ([first]) => {
    setOwnChanges(count => count + 1)
    if (first) show(first)
  })
  // The panel is there before the claim is answered.
  const claim = useSteadyCallback((row: QueueRow) => {
    ask(row, 'claim')
    focusWhenDrawn(row.orderNo)
    open(row.orderNo)
  })
  const toggle = useSteadyCallback(many.toggle)
  const close = () => {
    if (openNo) focusOrder(openNo)
    open(null)
  }
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [areLettersOn, turnLetters] = useLetterKeys()
  const withRow = (act: (row: QueueRow) => void) => (orderNo: string) => {
    const row = rows.find(each => each.orderNo === orderNo)
    if (row) act(row)
  }
  useQueueKeys(areLettersOn, {
    onEnter: withRow(row => (isClaimable(row) ? busy === null && claim(row) : show(row.orderNo))),
    onSelect: withRow(many.toggle),
    onNext: () => show(nextOf(rows, openNo) ?? openNo),
    onClose: close,
    onLeaveField: () => (openNo ? focusOrder(openNo) : focusNext()),
    onHelp: () => setIsHelpOpen(true),
  })

  return (
    <>
      <PageHead title="คำสั่งซื้อรอเติม">
        <QueueFilterBar filters={filters} counts={list.data?.counts} onChange={change} />
        <QueueHelp isOpen={isHelpOpen} onOpen={setIsHelpOpen} areLettersOn={areLettersOn} onLetters={turnLetters} />
      </PageHead>
      <SlipServiceNotice />
      <SupplierNotice />
      <div className={openNo ? 'list-and-panel is-open' : 'list-and-panel'}>
        <ListSection label="คำสั่งซื้อรอเติม" query={list}>
          {drawn ? (
            drawn.rows.length > 0 ? (
              <QueueTable
                rows={drawn.rows}
                counts={drawn.counts}
                now={drawn.nowDate}
                scope={`${JSON.stringify(filters)} ${ownChanges}`}
                openOrderNo={openNo}
                onOpen={show}
                busyOrderNo={busy}
                onClaim={claim}
                selected={many.selected}
                selectedGameId={many.gameId}
                onSelect={toggle}
              />
            ) : (
              <NothingFound
                text={
                  filters.text
                    ? `ไม่พบ "${filters.text}" ในคิว`
                    : filters.group.length > 0
                      ? 'ไม่มีคำสั่งซื้อรอเติมในกลุ่มนี้'
                      : 'ไม่มีคำสั่งซื้อรอเติม'
                }
              >
                {(filters.text || filters.group.length > 0) && (
                  <Button onClick={() => change({ text: '', group: [] })}>ดูทั้งหมด</Button>
                )}
              </NothingFound>
            )
          ) : (
            <Skeleton active className="card-part" paragraph={{ rows: 8 }} />
          )}
          {many.selected.size > 0 && (
            <div className="claim-bar" role="status">
              <span className="grow">
                เลือก {many.selected.size} รายการ · {many.gameName}
              </span>
              <Button onClick={many.clear}>ล้าง</Button>
              <Button type="primary" loading={many.isClaiming} onClick={many.claim}>
                รับเรื่อง {many.selected.size} รายการ
              </Button>
            </div>
          )}
        </ListSection>
        {openNo && (
          <OrderPanel
            key={openNo}
            orderNo={openNo}
            isClaiming={busy === openNo}
            onClose={close}
            onChanged={afterChange}
            keys={KEYS}
          />
        )}
      </div>
      {dialog}
    </>
  )
}

/**
 * Puts the focus on an order's row, for the next key, and again as soon as the list shows where it stands now, which is
 * while `isDrawn`.
 */
function useFocusWhenDrawn(isDrawn: boolean): (orderNo: string | null) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (!wanted.current || !isDrawn) return
    focusOrder(wanted.current)
    wanted.current = null
  })
  return orderNo => {
    wanted.current = orderNo
    if (orderNo) focusOrder(orderNo)
  }
}

function QueueFilterBar(props: {
  filters: QueueFilters
  counts: Record<QueueGroup, number> | undefined
  onChange: (some: Partial<QueueFilters>) => void
}) {
  const { filters, counts, onChange } = props
  const all = counts && counts.mine + counts.open + counts.others
  const withCount = (label: string, count: number | undefined) => (
    <>
      {label} <span className="number">{count?.toLocaleString('en-US') ?? ''}</span>
    </>
  )
  return (
    <>
      <Segmented<QueueGroup | 'all'>
        aria-label="รายการที่แสดง"
        className="queue-groups"
        options={[
          { value: 'all', label: withCount('ทั้งหมด', all) },
          ...QUEUE_GROUPS.map(value => ({ value, label: withCount(QUEUE_GROUP[value].label, counts?.[value]) })),
        ]}
        value={filters.group[0] ?? 'all'}
        onChange={value => onChange({ group: value === 'all' ? [] : [value] })}
      />
      <SearchInput label="เลขที่ / Player ID" value={filters.text} width={210} onSearch={text => onChange({ text })} />
    </>
  )
}
