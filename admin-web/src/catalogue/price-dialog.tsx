import { type ManagedPackage, savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { Modal } from 'antd'
import { useState } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { useCloseGuard } from '../ui/use-close-guard.ts'
import { useFaultFocus } from '../ui/use-fault-focus.ts'
import { useSave } from '../ui/use-save.ts'
import {
  compareDelivery,
  costOf,
  DELIVERY,
  type Delivery,
  type DeliveryDraft,
  deliveryOf,
  deliveryProblems,
  draftOf,
  fieldOfDelivery,
  type Problems,
} from './delivery-draft.ts'
import { DeliveryFields } from './delivery-fields.tsx'
import { PriceRowFields } from './price-row-fields.tsx'
import { comparePrices, editsToSave, problemsOf, rowsOf, savedText, type TypedPrice } from './price-rows.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'
import { useLossQuestion } from './use-loss-question.ts'

/** Tells whether somebody who saved in between left alone what this dialog edits. */
const isUntouched = (theirs: ManagedPackage, base: ManagedPackage): boolean =>
  [theirs, base]
    .map(each => JSON.stringify([each.masterPackage, deliveryOf(draftOf(each))]))
    .every((text, _, all) => text === all[0])

const FAILED = 'บันทึกช่องทางชำระเงินไม่สำเร็จ กรุณาลองอีกครั้ง'

/** Edits the prices of a package, one row per payment method. A refusal appears in its row, and the dialog stays open. */
export function PriceDialog(props: { gameName: string; sold: ManagedPackage; now: Date; onClose: () => void }) {
  const { gameName, sold, now, onClose } = props
  const prices = usePrices(sold, now, onClose)
  const { rows, delivery, problems, failure, isDirty, isSaving, theirs } = prices
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
          differences={[
            ...comparePrices(prices.edits, theirs.masterPackage),
            compareDelivery(deliveryOf(delivery), theirs),
          ]}
          isSaving={isSaving}
          onTakeTheirs={() => prices.takeTheirs(theirs)}
          onKeepMine={() => prices.save(theirs)}
        />
      )}
      <div ref={prices.place}>
        <table className="prices">
          <thead>
            <tr>
              {['ช่องทาง', 'ราคา', 'กำไร (บาท)', 'วันเริ่มจำหน่าย', 'วันหมดอายุ', 'เปิดขาย'].map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">ราคาล่วงหน้า</span>
              </th>
            </tr>
          </thead>
          {rows.map(row => (
            <PriceRowFields
              key={row.payment}
              row={row}
              prices={prices.saved}
              costSatang={costOf(delivery)}
              problem={problems[row.payment]}
              now={now}
              onChange={prices.put}
              onEnter={() => prices.save()}
            />
          ))}
        </table>
        <DeliveryFields draft={delivery} problems={problems} onChange={prices.putDelivery} />
      </div>
      <p className="small muted">ราคามีผลตั้งแต่ 00:00 น. ของวันเริ่ม ถึงสิ้นวันหมดอายุ · ลูกค้าที่สั่งซื้อแล้วใช้ราคาเดิม</p>
    </Modal>
  )
}

interface Draft {
  prices: PriceEdit[]
  delivery: Delivery
}

/** Holds the rows of the dialog and what is wrong with them, and saves them. */
function usePrices(sold: ManagedPackage, now: Date, onClose: () => void) {
  const undoable = useUndoable()
  const askLoss = useLossQuestion()
  const { place, leadToFault } = useFaultFocus<HTMLDivElement>()
  const [rows, setRows] = useState(() => rowsOf(sold.masterPackage, now))
  const [delivery, setDelivery] = useState(() => draftOf(sold))
  const [isDirty, setIsDirty] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const { base, theirs, save, isSaving, takeTheirs } = useSave<Draft, ManagedPackage>({
    record: sold,
    send: ({ prices, delivery: how }, over) =>
      undoable.save(savePrices, {
        body: { packageId: sold.id, version: over?.version ?? sold.version, prices, ...how },
      }),
    isUntouched,
    onSaved: ({ name, masterPackage }) => {
      const changed = savedText(base?.masterPackage ?? [], masterPackage)
      undoable.tellSaved(`บันทึกราคา ${name} แล้ว${changed && ` ${changed}`}`)
      onClose()
    },
    onSentOn: onClose,
    onRefused: error => {
      const isInRows = error instanceof AppError && error.code === 'PRICE_INVALID' && error.fields
      if (isInRows) {
        setProblems(isInRows)
        leadToFault()
      } else if (error instanceof AppError && error.code === 'AUTOMATIC_INCOMPLETE') {
        setProblems({ [fieldOfDelivery('isAutomatic')]: messageOf(error) })
        leadToFault()
      } else setFailure(messageOf(error))
    },
    onSettled: useCatalogueChanged(),
  })
  // The message of an edited row goes; the next save checks the row again.
  const changed = (what: string) => {
    const isOfIt = (field: string) => field === what || field.startsWith(`${what}.`)
    setProblems(found => Object.fromEntries(Object.entries(found).filter(([field]) => !isOfIt(field))))
    setIsDirty(true)
  }
  const saved = base?.masterPackage ?? []
  const edits = editsToSave(rows, saved, now)
  return {
    place,
    saved,
    rows,
    edits,
    delivery,
    problems,
    failure,
    isDirty,
    isSaving,
    theirs,
    put: (row: TypedPrice) => {
      setRows(rows.map(each => (each.payment === row.payment ? row : each)))
      changed(row.payment)
    },
    putDelivery: (draft: DeliveryDraft) => {
      setDelivery(draft)
      changed(DELIVERY)
    },
    save: (over?: ManagedPackage) => {
      const found = { ...problemsOf(rows, saved, now), ...deliveryProblems(delivery) }
      setProblems(found)
      setFailure(null)
      if (Object.keys(found).length > 0) return leadToFault()
      const draft = { prices: edits, delivery: deliveryOf(delivery) }
      if (edits.length === 0 && !isDirty) onClose()
      else askLoss(edits, draft.delivery.costSatang, () => save(draft, over))
    },
    takeTheirs: (current: ManagedPackage) => {
      setRows(rowsOf(current.masterPackage, now))
      setDelivery(draftOf(current))
      setProblems({})
      setIsDirty(false)
      takeTheirs(current)
    },
  }
}
