import { formatBaht } from '@shop/shared/money.ts'
import { QUEUE_GROUP, QUEUE_GROUP_ROWS, QUEUE_GROUPS, type QueueGroup } from '@shop/shared/order/queue.ts'
import type { QueueRow } from '@shop/shared/order/queue-endpoints.ts'
import { memo } from 'react'
import { AgeText, type Waited, waitedForDelivery } from '../account/age.tsx'
import { useOpeningHours } from '../account/opening-hours.ts'
import { Art } from '../ui/art.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { SteadyList } from '../ui/steady-list.tsx'
import { SHOP_ITSELF } from './order-timeline.tsx'

/** The handlers must stay the same functions, as every row has them; see useSteadyCallback. */
interface Handlers {
  onOpen: (orderNo: string) => void
  onClaim: (row: QueueRow) => void
  onSelect: (row: QueueRow) => void
}

interface Props extends Handlers {
  rows: readonly QueueRow[]
  counts: Record<QueueGroup, number>
  /** The server's clock. */
  now: string
  /** Changes when another list is asked for; see SteadyList. */
  scope: string
  openOrderNo: string | null
  busyOrderNo: string | null
  selected: ReadonlySet<string>
  /** The game of the selected rows; rows of other games can't be added. */
  selectedGameId: number | null
}

/** An order that changes its group counts as another row: the old one stays, faded, while somebody reads the list. */
const keyOf = ({ group, orderNo }: QueueRow) => `${group} ${orderNo}`

export const isClaimable = ({ commands }: QueueRow): boolean => commands.includes('claim')

/** The queue's rows under the headings of their groups. */
export function QueueTable(props: Props) {
  const { rows, counts, now, scope, openOrderNo, busyOrderNo, selected, selectedGameId } = props
  const { onOpen, onClaim, onSelect } = props
  const hours = useOpeningHours()
  return (
    <SteadyList latest={rows} keyOf={keyOf} scope={scope} followsFocus>
      {shown => (
        <table className="queue">
          <thead>
            <tr>
              <th className="pick">
                <span className="sr-only">เลือก</span>
              </th>
              <th className="no">คิว</th>
              <th className="item">รายการ</th>
              <th className="amount">ยอด (บาท)</th>
              <th className="age">รอ</th>
              <th className="who">ผู้รับเรื่อง</th>
            </tr>
          </thead>
          {QUEUE_GROUPS.map(group => {
            const inGroup = shown.filter(({ row }) => row.group === group)
            if (inGroup.length === 0) return null
            return (
              <tbody key={group}>
                <tr className="group">
                  <th colSpan={6} scope="rowgroup">
                    {QUEUE_GROUP[group].label} <span className="number">{counts[group].toLocaleString('en-US')}</span>
                    {counts[group] > QUEUE_GROUP_ROWS && ` · แสดง ${QUEUE_GROUP_ROWS} รายการที่รอนานที่สุด`}
                  </th>
                </tr>
                {inGroup.map(({ row, isGone }) => (
                  <Row
                    key={row.orderNo}
                    row={row}
                    isGone={isGone}
                    isOpen={row.orderNo === openOrderNo}
                    isPicked={selected.has(row.orderNo)}
                    isOtherGame={selectedGameId !== null && selectedGameId !== row.gameId}
                    isBusy={row.orderNo === busyOrderNo}
                    isOff={busyOrderNo !== null}
                    {...waitedForDelivery(row, now, hours)}
                    onOpen={onOpen}
                    onClaim={onClaim}
                    onSelect={onSelect}
                  />
                ))}
              </tbody>
            )
          })}
        </table>
      )}
    </SteadyList>
  )
}

interface RowProps extends Handlers, Waited {
  row: QueueRow
  isGone: boolean
  isOpen: boolean
  isPicked: boolean
  isOtherGame: boolean
  /** The order is being claimed. */
  isBusy: boolean
  /** Some order is being claimed, so that no other can be. */
  isOff: boolean
}

/**
 * There may be hundreds, so each is drawn again only when something of it has changed, not by the clock of each answer;
 * and its box and button are the browser's own, which take a fraction of the elements and styles of antd's.
 */
const Row = memo(function Row(props: RowProps) {
  const { row, isGone, isOpen, isPicked, isOtherGame, minutes, lateness, onOpen, onSelect } = props
  const { orderNo, queueNo, quantity, amountSatang } = row
  const canClaim = isClaimable(row) && !isGone
  return (
    <tr className={`${isOpen ? 'is-selected' : ''} ${isGone ? 'is-gone' : ''}`}>
      <td className="pick">
        {canClaim && (
          <label>
            <input
              type="checkbox"
              aria-label={`เลือก ${orderNo}`}
              checked={isPicked}
              disabled={isOtherGame}
              onChange={() => onSelect(row)}
            />
          </label>
        )}
      </td>
      <td className="no number strong">{queueNo}</td>
      <td className="item">
        <div className="row">
          <Art picture={row.gamePicture} />
          <div className="grow">
            {/* Opens the order beside the queue; its address does the same in a new tab. */}
            <RowLink
              to={`?order=${encodeURIComponent(orderNo)}`}
              data-order={orderNo}
              className="strong"
              onOpen={() => onOpen(orderNo)}
            >
              {row.packageName}
              {quantity > 1 && <span className="number"> × {quantity}</span>}
            </RowLink>
            <div className="note muted">
              {row.gameName}
              <span className="number order-no"> · {orderNo}</span>
            </div>
            {row.isHeld && <span className="tag is-warn held">รอหลักฐานเงินเข้า</span>}
          </div>
        </div>
      </td>
      <td className="amount number">{formatBaht(amountSatang)}</td>
      <td className="age">
        <AgeText minutes={minutes} lateness={lateness} />
      </td>
      <td className="who">
        <Holder {...props} canClaim={canClaim} />
      </td>
    </tr>
  )
})

function Holder(props: Pick<RowProps, 'row' | 'isBusy' | 'isOff' | 'onClaim'> & { canClaim: boolean }) {
  const { row, canClaim, isBusy, isOff, onClaim } = props
  if (canClaim)
    return (
      <button
        type="button"
        className="claim"
        aria-label={`รับเรื่อง ${row.orderNo}`}
        aria-busy={isBusy}
        disabled={isOff && !isBusy}
        onClick={() => isBusy || onClaim(row)}
      >
        {isBusy ? 'กำลังรับ…' : 'รับเรื่อง'}
      </button>
    )
  if (row.group === 'open') return <span className="note muted">{row.commands.length === 0 ? 'ของคุณเอง' : '–'}</span>
  const name = row.claimedByName ?? SHOP_ITSELF
  return (
    <span className="row small" title={name}>
      <Avatar name={name} isSmall />
      <span className="grow one-line">{row.group === 'mine' ? 'คุณ' : name}</span>
    </span>
  )
}
