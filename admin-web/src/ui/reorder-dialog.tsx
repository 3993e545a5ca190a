import { Modal } from 'antd'
import { useState } from 'react'
import { Conflict, type Difference, type SavedBy } from './conflict.tsx'
import { FailureNote } from './failure-note.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { SortableList } from './sortable-list.tsx'
import { useCloseGuard } from './use-close-guard.ts'

interface ReorderItem<Id> {
  id: Id
  label: string
  /** Address of a small picture; '' keeps the place of one. */
  picture?: string
}

/** Two orders by their places, the first of which is `firstNo`. */
export function compareOrders(
  mine: readonly { label: string }[],
  theirs: readonly { label: string }[],
  firstNo = 1,
): Difference[] {
  const places = Array.from({ length: Math.max(mine.length, theirs.length) }, (_, index) => index)
  return places.map(index => ({
    label: `ลำดับที่ ${firstNo + index}`,
    theirs: theirs[index]?.label,
    mine: mine[index]?.label,
  }))
}

/** Puts the rows of a list in another order, which is saved as a whole. */
export function ReorderDialog<Id extends number | string>(props: {
  title: string
  items: readonly ReorderItem<Id>[]
  isSaving: boolean
  /** That the order could not be saved, and why. */
  failure: { title: string; text: string } | null
  /** What stands there now, when somebody else was first; `onSave` then writes over it. */
  theirs?: readonly ReorderItem<Id>[] | null
  by?: SavedBy
  onTakeTheirs?: () => void
  onSave: (ids: Id[]) => void
  onClose: () => void
}) {
  const { title, items, isSaving, failure, theirs, by, onTakeTheirs, onSave, onClose } = props
  const [first, setFirst] = useState(items)
  const [order, setOrder] = useState(first)
  const takeTheirs = (current: readonly ReorderItem<Id>[]) => {
    setFirst(current)
    setOrder(current)
    onTakeTheirs?.()
  }
  const isChanged = order.some(({ id }, index) => id !== first[index]?.id)
  const close = useCloseGuard(isChanged, onClose)
  return (
    <Modal
      open
      title={title}
      okText="บันทึก"
      // Both ways on are in the conflict.
      okButtonProps={{ disabled: !isChanged || Boolean(theirs) }}
      cancelText="ยกเลิก"
      confirmLoading={isSaving}
      closable={!isSaving}
      keyboard={!isSaving}
      mask={{ closable: false }}
      // Rows that still fly in are not where a hand goes to take them.
      transitionName=""
      onOk={() => onSave(order.map(({ id }) => id))}
      onCancel={() => !isSaving && close()}
    >
      {isChanged && <LeaveGuard isActive={!isSaving} question="มีลำดับใหม่ที่ยังไม่บันทึก" isWholeAddress />}
      <FailureNote title={failure?.title ?? null} text={failure?.text} />
      {theirs && (
        <Conflict
          by={by}
          differences={compareOrders(order, theirs)}
          isSaving={isSaving}
          onTakeTheirs={() => takeTheirs(theirs)}
          onKeepMine={() => onSave(order.map(({ id }) => id))}
        />
      )}
      <div className="reorder">
        <SortableList name={title} items={order} isDisabled={isSaving} onChange={setOrder}>
          {({ label, picture }) => (
            <>
              {picture && <img src={picture} alt="" className="sortable-picture" />}
              {picture === '' && <span className="sortable-picture" />}
              <span className="grow">{label}</span>
            </>
          )}
        </SortableList>
      </div>
    </Modal>
  )
}
