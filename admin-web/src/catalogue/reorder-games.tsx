import { type ManagedGame, reorderGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import type { Place } from '../ui/places.ts'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

export function ReorderGames({ games, onClose }: { games: ManagedGame[]; onClose: () => void }) {
  const client = useClient()
  const { message } = App.useApp()
  // The list may be read again meanwhile; the order that is being made stays.
  const [rows] = useState(games)
  const save = useMutation({
    mutationFn: (places: Place[]) => client.call(reorderGames, { body: places }),
    onSuccess: () => {
      message.success('จัดเรียงเกมสำเร็จ')
      onClose()
    },
    onSettled: useCatalogueChanged(),
  })
  return (
    <ReorderDialog
      title="จัดเรียงเกม"
      rows={rows}
      isSaving={save.isPending}
      failure={save.error && 'จัดเรียงเกมไม่สำเร็จ กรุณาลองอีกครั้ง'}
      onSave={save.mutate}
      onClose={onClose}
    />
  )
}
