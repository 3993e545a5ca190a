import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { confirmStatementFile, listWaitingFiles, type WaitingFile } from '@shop/shared/statement/import-endpoints.ts'
import { writeSource } from '@shop/shared/statement/line-source.ts'
import { formatDay, formatShort } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button } from 'antd'
import { BadgeCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useClient, useMe } from '../account/session.tsx'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'

const POLL_MS = 15_000

/** The files that a second person must confirm before orders they pay are sent to the supplier. */
export function WaitingFiles() {
  const client = useClient()
  const { data: files } = useQuery({ ...client.query(listWaitingFiles, {}), refetchInterval: POLL_MS })
  return files?.map(file => <WaitingNote key={file.id} file={file} />)
}

/** The address of the list of all lines of a file. */
const placeOfFile = ({ id, receivingAccountId, fromDay, toDay }: WaitingFile): string => {
  const search = { account: String(receivingAccountId), from: fromDay, to: toDay, noSaleOrder: 'false' }
  return `${STAFF_PAGE.statement.path}?${new URLSearchParams({ ...search, source: writeSource({ kind: 'file', id }) })}`
}

const daysOf = ({ fromDay, toDay }: WaitingFile): string =>
  [...new Set([fromDay, toDay])].map(day => formatDay(day)).join(' – ')

function WaitingNote({ file }: { file: WaitingFile }) {
  const { id, fileName, givenByName, importedAt, inSatang, lines, orders, whyNot } = file
  const accounts = useStatementAccounts()
  const account = accounts.data?.find(each => each.id === file.receivingAccountId)
  const { confirm, isBusy } = useConfirm(file)
  const mayConfirm = can(useMe().role, confirmStatementFile.allow)
  return (
    <Alert
      className="waiting-file"
      type="warning"
      showIcon
      title={<span className="breakable">ไฟล์ {fileName} รอคนที่สองยืนยัน</span>}
      description={
        <>
          {givenByName ?? 'ผู้นำเข้า'} นำเข้าเมื่อ {formatShort(importedAt)}
          {account && ` บัญชี ${nameOfAccount(account)}`} วันที่ {daysOf(file)} เงินเข้า {lines.toLocaleString('en-US')} รายการ
          รวม <b className="strong number">{formatBaht(inSatang)}</b> บาท
          {orders > 0 && ` · คำสั่งซื้อ ${orders.toLocaleString('en-US')} รายการยังไม่ถูกส่งให้ผู้จำหน่าย`} ·{' '}
          <Link to={placeOfFile(file)}>ดูรายการในไฟล์</Link>
          {mayConfirm && whyNot !== null && (
            <div id={`why-${id}`} className="note muted">
              คุณยืนยันไม่ได้ {whyNot}
            </div>
          )}
        </>
      }
      action={
        mayConfirm && (
          <Button
            type="primary"
            icon={<BadgeCheck size={16} aria-hidden />}
            loading={isBusy}
            disabled={whyNot !== null}
            aria-label={`ยืนยันไฟล์ ${fileName}`}
            aria-describedby={whyNot === null ? undefined : `why-${id}`}
            onClick={confirm}
          >
            ยืนยันไฟล์นี้
          </Button>
        )
      }
    />
  )
}

function useConfirm({ id, fileName, inSatang }: WaitingFile) {
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const confirm = useMutation({
    mutationFn: () => client.call(confirmStatementFile, { params: { fileId: id }, body: { inSatang } }),
    onSuccess: () => message.success('ยืนยันไฟล์แล้ว ส่งคำสั่งซื้อที่รออยู่ให้ผู้จำหน่าย'),
    onError: error => message.error({ content: `ยืนยันไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
    // The pages of the orders show what they wait for, too.
    onSettled: () => queries.invalidateQueries(),
  })
  const ask = () =>
    modal.confirm({
      title: `ยืนยันไฟล์ ${fileName}?`,
      content: `เทียบยอดในไฟล์กับแอปหรือสมุดบัญชีของธนาคารก่อน เมื่อยืนยันแล้ว คำสั่งซื้อที่จ่ายด้วยรายการในไฟล์ รวมเงินเข้า ${formatBaht(inSatang)} บาท จะถูกส่งให้ผู้จำหน่ายเอง และบันทึกชื่อคุณเป็นคนที่สอง`,
      okText: 'ยืนยันไฟล์นี้',
      cancelText: 'ปิด',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => confirm.mutateAsync().catch(() => undefined),
    })
  return { confirm: ask, isBusy: confirm.isPending }
}
