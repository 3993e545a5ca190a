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
  /** The address of a small picture; '' leaves its place empty. */
  picture?: string
}

/** Compares two arrangements place by place; `firstNo` is the number of the first place. */
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

/** Lets people rearrange the rows of a list; the arrangement is saved as a whole. */
export function ReorderDialog<Id extends number | string>(props: {
  title: string
  items: readonly ReorderItem<Id>[]
  /** Whether the pictures are square, as logos are; banners are wide. */
  isSquare?: boolean
  isSaving: boolean
  /** Why the arrangement could not be saved. */
  failure: { title: string; text: string } | null
  /** The rows as somebody else saved them first; `onSave` then writes over them. */
  theirs?: readonly ReorderItem<Id>[] | null
  by?: SavedBy
  onTakeTheirs?: () => void
  onSave: (ids: Id[]) => void
  onClose: () => void
}) {
  const { title, items, isSaving, failure, theirs, by, onTakeTheirs, onSave, onClose } = props
  const shape = props.isSquare ? 'sortable-picture is-square' : 'sortable-picture'
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
      // While there is a conflict, people go on with one of its two buttons.
      okButtonProps={{ disabled: !isChanged || Boolean(theirs) }}
      cancelText="ยกเลิก"
      confirmLoading={isSaving}
      closable={!isSaving}
      keyboard={!isSaving}
      mask={{ closable: false }}
      // Without an opening animation, because people miss rows that are still moving.
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
              {picture && <img src={picture} alt="" className={shape} />}
              {picture === '' && <span className={shape} />}
              <span className="grow">{label}</span>
            </>
          )}
        </SortableList>
      </div>
    </Modal>
  )
}
