import { type ShownOrder, seenOf } from '@shop/shared/catalogue/arrange.ts'
import { listManagedPackages, type ManagedGame, reorderPackages } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { InputNumber, Modal, Pagination } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { compareOrders } from '../ui/reorder-dialog.tsx'
import { SortableList } from '../ui/sortable-list.tsx'
import { useCloseGuard } from '../ui/use-close-guard.ts'
import { useSave } from '../ui/use-save.ts'
import { placesOf, type RowPlace } from './places.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

const PAGE_SIZE = 50

/** Orders the packages of a game, one page at a time. A typed place moves a package to another page. */
export function ReorderPackages({ game, onClose }: { game: ManagedGame; onClose: () => void }) {
  const client = useClient()
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...client.query(listManagedPackages, { params: { gameId: game.id }, query: { page, pageSize: PAGE_SIZE } }),
    // With a key of its own, a reload of the list behind the dialog does not replace the order while it is edited.
    queryKey: [reorderPackages.path, game.id, page],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (list.data) {
    const rows = list.data.rows.map(({ id, name }) => ({ id, name }))
    const seen = { rows, firstNo: (page - 1) * PAGE_SIZE + 1, total: list.data.game.packageCount }
    return <PageOrder key={page} {...{ game, page, seen, onClose }} onPage={setPage} />
  }
  return (
    <Modal open title="จัดเรียงแพ็กเกจ" footer={null} onCancel={onClose}>
      {list.isError ? (
        <LoadError error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <p className="loading">กรุณารอสักครู่..</p>
      )}
    </Modal>
  )
}

interface Item {
  id: number
  label: string
}

const itemsOf = ({ rows }: ShownOrder): Item[] => rows.map(({ id, name }) => ({ id, label: name }))

function PageOrder(props: {
  game: ManagedGame
  page: number
  seen: ShownOrder
  onPage: (page: number) => void
  onClose: () => void
}) {
  const { game, page, seen, onPage, onClose } = props
  const { error, theirs, by, isSaving, base, ...edit } = useSaveOrder(game, seen, onClose)
  const { rows, firstNo, total } = base ?? seen
  const [order, setOrder] = useState(() => itemsOf(seen))
  const [away, setAway] = useState<ReadonlyMap<number, number>>(new Map())
  const isChanged = away.size > 0 || order.some(({ id }, index) => id !== rows[index]?.id)
  const put = (item: Item, no: number) => {
    const to = no - firstNo
    const isShown = to >= 0 && to < order.length
    if (isShown) setOrder(order.filter(each => each !== item).toSpliced(to, 0, item))
    const others = [...away].filter(([id]) => id !== item.id)
    setAway(new Map(isShown ? others : [...others, [item.id, no]]))
  }
  const save = (over?: ShownOrder) => edit.save(placesOf(order, firstNo, away), over)
  const takeTheirs = (current: ShownOrder) => {
    setOrder(itemsOf(current))
    setAway(new Map())
    edit.takeTheirs(current)
  }
  const close = useCloseGuard(isChanged, onClose)
  return (
    <Modal
      open
      width={560}
      title="จัดเรียงแพ็กเกจ"
      okText="บันทึก"
      okButtonProps={{ disabled: !isChanged || theirs !== null }}
      cancelText="ยกเลิก"
      confirmLoading={isSaving}
      closable={!isSaving}
      keyboard={!isSaving}
      mask={{ closable: false }}
      // Without the opening animation rows can be dragged at once.
      transitionName=""
      onOk={() => save()}
      onCancel={close}
    >
      <LeaveGuard isActive={isChanged && !isSaving} question="มีลำดับใหม่ที่ยังไม่บันทึก" />
      <FailureNote title={error && 'จัดเรียงแพ็กเกจไม่สำเร็จ กรุณาลองอีกครั้ง'} text={messageOf(error)} />
      {theirs && (
        <Conflict
          by={by}
          differences={compareOrders(
            order.map(item => described(item, away)),
            itemsOf(theirs),
            firstNo,
          )}
          isSaving={isSaving}
          onTakeTheirs={() => takeTheirs(theirs)}
          onKeepMine={() => save(theirs)}
        />
      )}
      {total > PAGE_SIZE && (
        <Pagination
          simple
          className="form-alert"
          // Turning the page would lose the unsaved order of this one.
          disabled={isChanged || isSaving}
          current={page}
          pageSize={PAGE_SIZE}
          total={total}
          showSizeChanger={false}
          onChange={onPage}
        />
      )}
      <div className="reorder">
        <SortableList name="จัดเรียงแพ็กเกจ" items={order} firstNo={firstNo} isDisabled={isSaving} onChange={setOrder}>
          {item => (
            <>
              <span className="grow">{item.label}</span>
              <PlaceInput label={item.label} awayNo={away.get(item.id)} total={total} onPut={no => put(item, no)} />
            </>
          )}
        </SortableList>
      </div>
    </Modal>
  )
}

/** Names a row and, when it moves to another page, its new place. */
const described = ({ id, label }: Item, away: ReadonlyMap<number, number>) => ({
  label: away.has(id) ? `${label} (ไปลำดับที่ ${away.get(id)})` : label,
})

function useSaveOrder(game: ManagedGame, seen: ShownOrder, onClose: () => void) {
  const { save, tellSaved } = useUndoable()
  return useSave<RowPlace[], ShownOrder, unknown>({
    record: seen,
    send: (order, over) => save(reorderPackages, { body: { gameId: game.id, order, seen: seenOf(over ?? seen) } }),
    onSaved: () => {
      tellSaved('จัดเรียงแพ็กเกจสำเร็จ')
      onClose()
    },
    onSettled: useCatalogueChanged(),
  })
}

/** Asks for a row's new place; a place on another page stays visible here until it is saved. */
function PlaceInput(props: { label: string; awayNo: number | undefined; total: number; onPut: (no: number) => void }) {
  const { label, awayNo, total, onPut } = props
  const [typed, setTyped] = useState<number | null>(null)
  const put = () => {
    if (typed !== null) onPut(typed)
    setTyped(null)
  }
  return (
    <InputNumber
      aria-label={`ย้าย ${label} ไปลำดับที่`}
      placeholder="ไปที่"
      controls={false}
      min={1}
      max={total}
      precision={0}
      value={typed ?? awayNo ?? null}
      onChange={setTyped}
      onPressEnter={put}
      onBlur={put}
      style={{ width: 72 }}
    />
  )
}
