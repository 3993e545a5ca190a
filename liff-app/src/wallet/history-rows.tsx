import type { OwnTransaction, WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import { TOP_UP_STATUS_LABELS } from '@shop/shared/wallet/top-up.ts'
import { formatDateTime, formatDateTimeSeconds } from '@shop/web/dates.ts'
import { ArrowDownLeft, Gamepad2, Undo2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { bringToMiddle } from '../ui/focus-on.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { Table } from '../ui/table.tsx'
import { useMedia } from '../ui/use-media.ts'
import { SlipThumbnail } from '../upload/slip-picture.tsx'
import { isByGateway, isWithoutEffect, nameTransaction, STATUS_TONES, signedSatangOf } from './transaction.ts'

type Actions = Record<'onSlip' | 'onEdit' | 'onCancel', (row: WalletTransaction) => void>
interface RowProps extends Actions {
  row: OwnTransaction
  isNew: boolean
}
interface RowsProps extends Actions {
  rows: OwnTransaction[]
  newId: string | null
}

/** A page of the wallet's history: rows on a phone, a table on a wide screen. */
export function HistoryRows({ rows, newId, ...actions }: RowsProps) {
  const isWide = useMedia('(min-width: 64rem)')
  if (isWide) return <TransactionTable rows={rows} newId={newId} {...actions} />
  return (
    <ul className="divide-y divide-line">
      {rows.map(row => (
        <PhoneRow key={row.id} row={row} isNew={row.id === newId} {...actions} />
      ))}
    </ul>
  )
}

const Tag = ({ row }: { row: WalletTransaction }) => (
  <StatusTag tone={STATUS_TONES[row.status]}>{TOP_UP_STATUS_LABELS[row.status]}</StatusTag>
)

const SignedAmount = ({ row }: { row: WalletTransaction }) => (
  <Amount
    satang={signedSatangOf(row)}
    kind="signed"
    className={isWithoutEffect(row) ? 'font-medium text-ink-3' : 'font-semibold'}
  />
)

const icons = { ฝาก: ArrowDownLeft, ถอน: Gamepad2, คืนเงิน: Undo2 }

function PhoneRow({ row, isNew, onSlip, ...actions }: RowProps) {
  const Icon = icons[row.transType]
  return (
    <li
      ref={isNew ? bringToMiddle : undefined}
      className={classes(
        'relative flex items-start gap-3 py-3.5',
        isNew && '-mx-3.5 rounded-control bg-accent-tint/60 px-3.5',
      )}
    >
      <span className="flex size-10 flex-none items-center justify-center rounded-full bg-canvas text-ink-2 @max-[15rem]:hidden">
        <Icon size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-x-3 font-semibold @max-[15rem]:flex-wrap">
          <RowName row={row} />
          <span className="ml-auto whitespace-nowrap">
            <SignedAmount row={row} />
          </span>
        </p>
        <p className="flex flex-wrap items-start justify-between gap-x-2 gap-y-0.5">
          <span className="text-ink-2 text-note">
            <span className="block whitespace-nowrap">
              {askedPrefixOf(row)}
              {formatDateTime(row.createdDate)}
            </span>
            <span className="block">{row.no}</span>
          </span>
          <Tag row={row} />
        </p>
        <SlipNews row={row} />
        <Reason row={row} />
        {(row.slipId || row.canEdit || row.canCancel || row.status === 'waiting_payment') && (
          <div className="mt-2 flex flex-wrap gap-2">
            {row.slipId && (
              <Button kind="tint" size="inline" aria-label={`ดูสลิป ${row.no}`} onClick={() => onSlip(row)}>
                ดูสลิป
              </Button>
            )}
            <RowActions row={row} {...actions} />
          </div>
        )}
      </div>
    </li>
  )
}

const RowName = ({ row }: { row: WalletTransaction }) =>
  row.orderNo ? (
    // On a phone the whole row leads to the order.
    <Link
      to={`/purchase/details/${row.orderNo}`}
      className="wrap-anywhere hover:text-accent hover:underline max-lg:before:absolute max-lg:before:inset-0"
    >
      {nameTransaction(row)}
    </Link>
  ) : (
    <span>{nameTransaction(row)}</span>
  )

/** A top-up's time is that of its request; the statement has the time at which its money came. */
const askedPrefixOf = ({ actionType, transType, payment }: OwnTransaction) =>
  actionType === 'เติมเงิน' && transType === 'ฝาก' && !isByGateway(payment) ? 'แจ้งเมื่อ ' : ''

const SlipNews = ({ row }: { row: OwnTransaction }) =>
  row.isSlipConfirmed && row.status === 'waiting_approve' ? (
    <p className="text-note text-ok">ธนาคารยืนยันสลิปแล้ว รอผู้จัดการอนุมัติ</p>
  ) : null

const Reason = ({ row }: { row: WalletTransaction }) =>
  row.reason && <p className="text-ink-2 text-note">{row.status === 'reject' ? `เหตุผล: ${row.reason}` : row.reason}</p>

const RowActions = ({ row, onEdit, onCancel }: Omit<RowProps, 'onSlip' | 'isNew'>) => (
  <>
    {row.status === 'waiting_payment' && (
      <ButtonLink
        kind="tint"
        size="inline"
        className="lg:min-h-10"
        aria-label={`จ่ายต่อ ${row.no}`}
        to={`/wallet/topup/${row.id}`}
      >
        จ่ายต่อ
      </ButtonLink>
    )}
    {row.canEdit && (
      <Button
        kind="secondary"
        size="inline"
        className="lg:min-h-10"
        aria-label={`แก้ไข ${row.no}`}
        onClick={() => onEdit(row)}
      >
        แก้ไข
      </Button>
    )}
    {row.canCancel && (
      <Button
        kind="destructive"
        size="inline"
        className="lg:min-h-10"
        aria-label={`ยกเลิก ${row.no}`}
        onClick={() => onCancel(row)}
      >
        ยกเลิก
      </Button>
    )}
  </>
)

const headings = ['วันที่', 'เลขที่รายการ', 'ประเภท', 'ฝาก/ถอน', 'จำนวนเงิน', 'หน่วย', 'สลิป', 'สถานะ']

const TransactionTable = ({ rows, newId, ...actions }: RowsProps) => (
  <Table caption="รายการของกระเป๋าเงิน" headings={headings} amounts="จำนวนเงิน">
    {rows.map(row => (
      <TableRow key={row.id} row={row} isNew={row.id === newId} {...actions} />
    ))}
  </Table>
)

const TableRow = ({ row, isNew, onSlip, ...actions }: RowProps) => (
  <tr className={classes('border-line border-b', isNew && 'bg-accent-tint')}>
    <td className="whitespace-nowrap py-3 pr-4">
      {askedPrefixOf(row)}
      {formatDateTimeSeconds(row.createdDate)}
    </td>
    <td className="whitespace-nowrap py-3 pr-4">{row.no}</td>
    <td className="py-3 pr-4">
      <span className="block font-semibold">
        <RowName row={row} />
      </span>
      <SlipNews row={row} />
      <Reason row={row} />
    </td>
    <td className="whitespace-nowrap py-3 pr-4">{row.transType}</td>
    <td className="py-3 pr-4 text-right">
      <SignedAmount row={row} />
    </td>
    <td className="py-3 pr-4">{row.unit}</td>
    <td className="pr-4">
      {row.slipId ? (
        <SlipThumbnail slipId={row.slipId} no={row.no} onOpen={() => onSlip(row)} />
      ) : (
        <span className="text-ink-3">–</span>
      )}
    </td>
    <td className="py-3 pr-4">
      <Tag row={row} />
    </td>
    <td>
      <span className="flex justify-end gap-1">
        <RowActions row={row} {...actions} />
      </span>
    </td>
  </tr>
)
