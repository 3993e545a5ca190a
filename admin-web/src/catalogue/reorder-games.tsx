import { type ManagedGame, reorderGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { App } from 'antd'
import { useClient } from '../account/session.tsx'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

export function ReorderGames({ games, onClose }: { games: ManagedGame[]; onClose: () => void }) {
  const client = useClient()
  const { message } = App.useApp()
  const save = useMutation({
    mutationFn: (ids: number[]) => client.call(reorderGames, { body: ids.map((id, index) => ({ id, no: index + 1 })) }),
    onSuccess: () => {
      message.success('จัดเรียงเกมสำเร็จ')
      onClose()
    },
    onSettled: useCatalogueChanged(),
  })
  return (
    <ReorderDialog
      title="จัดเรียงเกม"
      items={games.map(({ id, name, picture }) => ({ id, label: name, picture }))}
      isSaving={save.isPending}
      failure={save.error && { title: 'จัดเรียงเกมไม่สำเร็จ กรุณาลองอีกครั้ง', text: messageOf(save.error) }}
      onSave={save.mutate}
      onClose={onClose}
    />
  )
}
