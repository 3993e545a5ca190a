import { placed, type ShownOrder, seenOf, wholeOrder } from '@shop/shared/catalogue/arrange.ts'
import { type ManagedGame, reorderGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { App } from 'antd'
import { useClient } from '../account/session.tsx'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { useSave } from '../ui/use-save.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

export function ReorderGames({ games, onClose }: { games: ManagedGame[]; onClose: () => void }) {
  const client = useClient()
  const { message } = App.useApp()
  const { theirs, error, isSaving, save, takeTheirs } = useSave<number[], ShownOrder, ManagedGame[]>({
    record: wholeOrder(games),
    send: (ids, over) => client.call(reorderGames, { body: { order: placed(ids), seen: seenOf(over!) } }),
    onSaved: () => {
      message.success('จัดเรียงเกมสำเร็จ')
      onClose()
    },
    onSettled: useCatalogueChanged(),
  })
  const pictureOf = (id: number) => games.find(game => game.id === id)?.picture ?? ''
  const itemOf = ({ id, name }: { id: number; name: string }) => ({ id, label: name, picture: pictureOf(id) })
  return (
    <ReorderDialog
      title="จัดเรียงเกม"
      items={games.map(itemOf)}
      isSaving={isSaving}
      failure={error && { title: 'จัดเรียงเกมไม่สำเร็จ กรุณาลองอีกครั้ง', text: messageOf(error) }}
      theirs={theirs?.rows.map(itemOf)}
      onTakeTheirs={() => theirs && takeTheirs(theirs)}
      onSave={ids => save(ids, theirs ?? undefined)}
      onClose={onClose}
    />
  )
}
