import { formatBaht } from '@shop/shared/money.ts'
import { QUEUE_GROUP, QUEUE_GROUP_ROWS, QUEUE_GROUPS, type QueueGroup } from '@shop/shared/order/queue.ts'
import type { QueueRow } from '@shop/shared/order/queue-endpoints.ts'
import { Button, Checkbox } from 'antd'
import type { ReactNode } from 'react'
import { DeliveryAge } from '../account/age.tsx'
import { Art } from '../ui/art.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { SteadyList } from '../ui/steady-list.tsx'
import { useAddressWith } from '../ui/url-filters.ts'
import type { SteadyRow } from '../ui/use-steady-rows.ts'
import { SHOP_ITSELF } from './order-timeline.tsx'

interface Props {
  rows: readonly QueueRow[]
  counts: Record<QueueGroup, number>
  /** The server's clock. */
  now: string
  /** Changes when another list is asked for; see SteadyList. */
  scope: string
  openOrderNo: string | null
  onOpen: (orderNo: string) => void
  busyOrderNo: string | null
  onClaim: (row: QueueRow) => void
  selected: ReadonlySet<string>
  /** The game of the selected rows; rows of other games can't be added. */
  selectedGameId: number | null
  onSelect: (row: QueueRow) => void
}

/** An order that changes its group counts as another row: the old one stays, faded, while somebody reads the list. */
const keyOf = ({ group, orderNo }: QueueRow) => `${group} ${orderNo}`

export const isClaimable = ({ commands }: QueueRow): boolean => commands.includes('claim')

/** The queue's rows under the headings of their groups. */
export function QueueTable(props: Props) {
  const { rows, counts, scope } = props
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
                {inGroup.map(each => (
                  <Row key={each.row.orderNo} {...props} shown={each} />
                ))}
              </tbody>
            )
          })}
        </table>
      )}
    </SteadyList>
  )
}

function Row({ shown: { row, isGone }, ...props }: Props & { shown: SteadyRow<QueueRow> }) {
  const { now, openOrderNo, onOpen, selected, selectedGameId, onSelect } = props
  const { orderNo, queueNo, quantity, amountSatang } = row
  const canClaim = isClaimable(row) && !isGone
  const isOtherGame = selectedGameId !== null && selectedGameId !== row.gameId
  return (
    <tr className={`${orderNo === openOrderNo ? 'is-selected' : ''} ${isGone ? 'is-gone' : ''}`}>
      <td className="pick">
        {canClaim && (
          <Checkbox
            aria-label={`เลือก ${orderNo}`}
            checked={selected.has(orderNo)}
            disabled={isOtherGame}
            onChange={() => onSelect(row)}
          />
        )}
      </td>
      <td className="no number strong">{queueNo}</td>
      <td className="item">
        <div className="row">
          <Art picture={row.gamePicture} />
          <div className="grow">
            <OrderLink orderNo={orderNo} onOpen={onOpen}>
              {row.packageName}
              {quantity > 1 && <span className="number"> × {quantity}</span>}
            </OrderLink>
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
        <DeliveryAge since={row.waitsSince} usual={row.usualMinutes} now={now} />
      </td>
      <td className="who">
        <Holder row={row} canClaim={canClaim} {...props} />
      </td>
    </tr>
  )
}

/** Opens an order beside the queue; its address does the same in a new tab. */
function OrderLink(props: { orderNo: string; onOpen: (orderNo: string) => void; children: ReactNode }) {
  const { orderNo, onOpen, children } = props
  const addressWith = useAddressWith()
  return (
    <RowLink
      to={addressWith({ order: orderNo })}
      data-order={orderNo}
      className="strong"
      onOpen={() => onOpen(orderNo)}
    >
      {children}
    </RowLink>
  )
}

function Holder(props: Pick<Props, 'busyOrderNo' | 'onClaim'> & { row: QueueRow; canClaim: boolean }) {
  const { row, canClaim, busyOrderNo, onClaim } = props
  if (canClaim)
    return (
      <Button
        aria-label={`รับเรื่อง ${row.orderNo}`}
        loading={busyOrderNo === row.orderNo}
        disabled={busyOrderNo !== null}
        onClick={() => onClaim(row)}
      >
        รับเรื่อง
      </Button>
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
