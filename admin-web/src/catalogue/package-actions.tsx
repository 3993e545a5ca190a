import { exportPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import type { ManagedGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { exportNameOf, saveFile } from '@shop/web/files.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { ArrowDownUp, Download, Plus, Upload } from 'lucide-react'
import { useClient } from '../account/session.tsx'

/** Shows the actions for all packages of a game. */
export function PackageActions(props: {
  game: ManagedGame
  onOpen: (open: { what: 'add' | 'reorder' | 'import' }) => void
}) {
  const { game, onOpen } = props
  const client = useClient()
  const { message } = App.useApp()
  const download = useMutation({
    mutationFn: () => client.call(exportPackages, { query: { game: [game.id] } }),
    onSuccess: (file: Blob) => saveFile(file, exportNameOf(new Date())),
    onError: error => message.error(`ดาวน์โหลด CSV ไม่สำเร็จ ${messageOf(error)}`, 6),
  })
  return (
    <div className="row">
      <Button icon={<Download size={16} aria-hidden />} loading={download.isPending} onClick={() => download.mutate()}>
        ดาวน์โหลด CSV
      </Button>
      <Button icon={<Upload size={16} aria-hidden />} onClick={() => onOpen({ what: 'import' })}>
        นำเข้า CSV
      </Button>
      <Button
        icon={<ArrowDownUp size={16} aria-hidden />}
        disabled={game.packageCount < 2}
        onClick={() => onOpen({ what: 'reorder' })}
      >
        จัดเรียงแพ็กเกจ
      </Button>
      <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => onOpen({ what: 'add' })}>
        เพิ่มแพ็กเกจ
      </Button>
    </div>
  )
}
