import { type ManagedPackage, savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/pricing.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { Modal } from 'antd'
import { useState } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { useCloseGuard } from '../ui/use-close-guard.ts'
import { useSave } from '../ui/use-save.ts'
import { PriceRowFields } from './price-row-fields.tsx'
import { comparePrices, editsToSave, type PriceRow, problemsOf, rowsOf } from './price-rows.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

const FAILED = 'บันทึกช่องทางชำระเงินไม่สำเร็จ กรุณาลองอีกครั้ง'

/** The prices of a package, one row per payment method; errors stand in their rows and the dialog stays. */
export function PriceDialog(props: { gameName: string; sold: ManagedPackage; now: Date; onClose: () => void }) {
  const { gameName, sold, now, onClose } = props
  const prices = usePrices(sold, now, onClose)
  const { rows, problems, failure, isDirty, isSaving, theirs } = prices
  const close = useCloseGuard(isDirty, onClose)
  return (
    <Modal
      open
      width={1000}
      className="price-dialog"
      title={
        <>
          ราคาขาย - ช่องทางชำระเงิน
          <div className="about small muted">
            {gameName} · {sold.name}
          </div>
        </>
      }
      okText="บันทึก"
      cancelText="ยกเลิก"
      okButtonProps={{ autoFocus: false }}
      confirmLoading={isSaving}
      closable={!isSaving}
      keyboard={!isSaving}
      mask={{ closable: false }}
      onOk={() => prices.save()}
      onCancel={close}
    >
      <LeaveGuard isActive={isDirty && !isSaving} question="ราคาที่แก้ไว้ยังไม่ได้บันทึก" />
      <FailureNote title={failure && FAILED} text={failure} />
      {theirs && (
        <Conflict
          by={theirs}
          differences={comparePrices(prices.edits, theirs.masterPackage)}
          isSaving={isSaving}
          onTakeTheirs={() => prices.takeTheirs(theirs)}
          onKeepMine={() => prices.save(theirs)}
        />
      )}
      <table className="prices">
        <thead>
          <tr>
            <th scope="col">ช่องทาง</th>
            <th scope="col">ราคา</th>
            <th scope="col">วันเริ่มจำหน่าย</th>
            <th scope="col">วันหมดอายุ</th>
            <th scope="col">เปิดขาย</th>
            <th scope="col">
              <span className="sr-only">ราคาล่วงหน้า</span>
            </th>
          </tr>
        </thead>
        {rows.map(row => (
          <PriceRowFields key={row.payment} row={row} problem={problems[row.payment]} now={now} onChange={prices.put} />
        ))}
      </table>
      <p className="small muted">ราคามีผลตั้งแต่ 00:00 น. ของวันเริ่ม ถึงสิ้นวันหมดอายุ · ลูกค้าที่สั่งซื้อแล้วใช้ราคาเดิม</p>
    </Modal>
  )
}

/** The rows of the dialog, what is wrong with them, and saving them. */
function usePrices(sold: ManagedPackage, now: Date, onClose: () => void) {
  const undoable = useUndoable()
  const [rows, setRows] = useState(() => rowsOf(sold.masterPackage, now))
  const [isDirty, setIsDirty] = useState(false)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const { base, theirs, save, isSaving, takeTheirs } = useSave<PriceEdit[], ManagedPackage>({
    record: sold,
    send: (edits, over) =>
      undoable.save(savePrices, {
        body: { packageId: sold.id, version: over?.version ?? sold.version, prices: edits },
      }),
    onSaved: () => {
      undoable.tellSaved('บันทึกช่องทางชำระเงินสำเร็จ')
      onClose()
    },
    onRefused: error => {
      const isInRows = error instanceof AppError && error.code === 'PRICE_INVALID' && error.fields
      if (isInRows) setProblems(isInRows)
      else setFailure(messageOf(error))
    },
    onSettled: useCatalogueChanged(),
  })
  const put = (row: PriceRow) => {
    setRows(rows.map(each => (each.payment === row.payment ? row : each)))
    // What was wrong is told again when it is saved again.
    setProblems(({ [row.payment]: _, ...others }) => others)
    setIsDirty(true)
  }
  const edits = editsToSave(rows, base?.masterPackage ?? [], now)
  return {
    ...{ rows, edits, problems, failure, isDirty, isSaving, theirs, put },
    save: (over?: ManagedPackage) => {
      const found = problemsOf(rows)
      setProblems(found)
      setFailure(null)
      if (Object.keys(found).length > 0) return
      if (edits.length === 0) onClose()
      else save(edits, over)
    },
    takeTheirs: (current: ManagedPackage) => {
      setRows(rowsOf(current.masterPackage, now))
      setProblems({})
      setIsDirty(false)
      takeTheirs(current)
    },
  }
}
