import { listManagedPackages, type ManagedGame, reorderPackages } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { App, Modal, Pagination } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import type { Place } from '../ui/places.ts'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

const TITLE = 'จัดเรียงแพ็กเกจ'
const PAGE_SIZE = 50

/** Orders the packages of a game; of a long list one page at a time, a typed place reaches the others. */
export function ReorderPackages({ game, onClose }: { game: ManagedGame; onClose: () => void }) {
  const client = useClient()
  const { message } = App.useApp()
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...client.query(listManagedPackages, { params: { gameId: game.id }, query: { page, pageSize: PAGE_SIZE } }),
    // The order that is being made must not be read over.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryKey: [reorderPackages.path, game.id, page],
  })
  const save = useMutation({
    mutationFn: (order: Place[]) => client.call(reorderPackages, { body: { gameId: game.id, order } }),
    onSuccess: () => {
      message.success('จัดเรียงแพ็กเกจสำเร็จ')
      onClose()
    },
    onSettled: useCatalogueChanged(),
  })
  if (!list.data) {
    return (
      <Modal open title={TITLE} footer={null} onCancel={onClose}>
        {list.isError ? (
          <LoadError error={list.error} onRetry={() => list.refetch()} />
        ) : (
          <p className="loading">กรุณารอสักครู่..</p>
        )}
      </Modal>
    )
  }
  const total = game.packageCount
  return (
    <ReorderDialog
      key={page}
      title={TITLE}
      rows={list.data.rows}
      firstNo={(page - 1) * PAGE_SIZE + 1}
      total={total}
      isSaving={save.isPending}
      failure={save.error && `จัดเรียงแพ็กเกจไม่สำเร็จ กรุณาลองอีกครั้ง ${messageOf(save.error)}`}
      head={isMoved =>
        total > PAGE_SIZE && (
          <Pagination
            simple
            className="form-alert"
            // Another page is another list: first save this one.
            disabled={isMoved || save.isPending}
            current={page}
            pageSize={PAGE_SIZE}
            total={total}
            showSizeChanger={false}
            onChange={setPage}
          />
        )
      }
      onSave={save.mutate}
      onClose={onClose}
    />
  )
}
