import { placed, type ShownOrder, seenOf, wholeOrder } from '@shop/shared/catalogue/arrange.ts'
import {
  listManagedBanners,
  listManagedGames,
  type ManagedBanner,
  reorderBanners,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, type TableColumnsType } from 'antd'
import { ArrowUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { StatusChip } from '../account/status-chip.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { EditButton } from '../ui/edit-button.tsx'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { useSave } from '../ui/use-save.ts'
import { BannerDrawer } from './banner-drawer.tsx'
import { ListCard } from './list-card.tsx'

const CACHED_MS = 60_000

/** The banner's name for people who can't see its picture. */
const nameOf = ({ description }: ManagedBanner, index: number) => description || `Banner ${index + 1}`

export function BannerSection() {
  const client = useClient()
  const list = useQuery(client.query(listManagedBanners))
  const games = useQuery({ ...client.query(listManagedGames), staleTime: CACHED_MS })
  const gameName = (gameId: number | null) => games.data?.find(({ id }) => id === gameId)?.name ?? '–'
  const [isOrdering, setIsOrdering] = useState(false)
  const [edited, setEdited] = useState<ManagedBanner | 'new' | null>(null)
  return (
    <>
      <ListCard
        title="Banner หน้าแรก"
        list={list}
        rowKey="id"
        columns={columnsWith(setEdited, gameName)}
        width={740}
        emptyText="ยังไม่มี Banner"
      >
        <Button
          icon={<ArrowUpDown size={16} aria-hidden />}
          disabled={(list.data?.length ?? 0) < 2}
          onClick={() => setIsOrdering(true)}
        >
          จัดเรียง Banner
        </Button>
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          เพิ่ม Banner
        </Button>
      </ListCard>
      {isOrdering && <BannerOrder banners={list.data ?? []} onClose={() => setIsOrdering(false)} />}
      {edited && <BannerDrawer banner={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function BannerOrder({ banners, onClose }: { banners: ManagedBanner[]; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { save: send, tellSaved } = useUndoable()
  const shown = banners.map((banner, index) => ({ ...banner, name: nameOf(banner, index) }))
  const { theirs, by, error, isSaving, save, takeTheirs } = useSave<number[], ShownOrder, ManagedBanner[]>({
    record: wholeOrder(shown),
    send: (ids, over) => send(reorderBanners, { body: { order: placed(ids), seen: seenOf(over!) } }),
    onSaved: saved => {
      queries.setQueryData(client.query(listManagedBanners).queryKey, saved)
      tellSaved('จัดเรียง Banner สำเร็จ')
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listManagedBanners.path] }),
  })
  const itemOf = ({ id, name }: ShownOrder['rows'][number], index: number) => {
    const known = shown.find(banner => banner.id === id)
    return { id, label: known?.name ?? (name || `Banner ${index + 1}`), picture: known?.picture }
  }
  return (
    <ReorderDialog
      title="จัดเรียง Banner"
      items={shown.map(itemOf)}
      isSaving={isSaving}
      failure={error && { title: 'จัดเรียง Banner ไม่สำเร็จ กรุณาลองอีกครั้ง', text: messageOf(error) }}
      theirs={theirs?.rows.map(itemOf)}
      by={by}
      onTakeTheirs={() => theirs && takeTheirs(theirs)}
      onSave={ids => save(ids, theirs ?? undefined)}
      onClose={onClose}
    />
  )
}

const columnsWith = (
  onEdit: (banner: ManagedBanner) => void,
  gameName: (gameId: number | null) => string,
): TableColumnsType<ManagedBanner> => [
  { title: 'ลำดับ', width: 72, align: 'right', render: (_, __, index) => index + 1 },
  {
    title: 'รูป',
    width: 160,
    render: (_, banner, index) => <img className="thumb" src={banner.picture} alt={nameOf(banner, index)} />,
  },
  { title: 'คำอธิบาย', render: (_, { description }) => description || '–' },
  { title: 'ไปที่เกม', width: 150, render: (_, { gameId }) => gameName(gameId) },
  { title: 'สถานะ', width: 110, render: (_, { isActive }) => <StatusChip isActived={isActive} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 90,
    render: (_, banner, index) => <EditButton name={nameOf(banner, index)} onClick={() => onEdit(banner)} />,
  },
]
