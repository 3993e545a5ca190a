import { type BenefitRow, listBenefits } from '@shop/shared/agent/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { ArrowDownToLine, Gamepad2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { useClient } from '../account/session.tsx'
import { type DiscountEdits, type Grid, keyOf } from './discount-edits.ts'
import { fill, rowsBelow } from './discount-fill.ts'

const MOST_OF_A_GAME = 100

/** Copies the discount of the last focused cell to the rows below, or to its whole game. */
export function FillBar({ edits, data }: { edits: DiscountEdits; data: Grid }) {
  const client = useClient()
  const current = useSyncExternalStore(edits.subscribe, edits.getCurrent)
  const [told, setTold] = useState<{ of: string; text: string } | null>(null)
  const row = data.rows.find(each => each.packageId === current?.packageId)
  const tier = data.tiers.find(each => each.id === current?.tierId)
  const chosen = current && row && tier && { row, tier, key: keyOf(current) }
  const fillTo = ({ row, tier, key }: NonNullable<typeof chosen>, rows: readonly BenefitRow[]) =>
    setTold({ of: key, text: `เติมแล้ว ${fill(edits, row, tier.id, rows)} ช่อง` })
  // A game may continue on other pages, and the filter may hide some of its packages.
  const filling = useMutation({
    mutationFn: async (from: NonNullable<typeof chosen>) => {
      const query = { game: [from.row.gameId], page: 1, pageSize: MOST_OF_A_GAME }
      fillTo(from, (await client.call(listBenefits, { query })).rows)
    },
    onError: (error, { key }) => setTold({ of: key, text: messageOf(error) }),
  })
  return (
    <div className="row fill-bar">
      <div className="grow small">
        {chosen ? (
          <>
            <b className="strong">{chosen.row.package}</b> <span className="muted">{chosen.tier.name}</span>
          </>
        ) : (
          <span className="muted">เลือกช่องส่วนลดเพื่อเติมลงล่างหรือทั้งเกม หรือวางทั้งคอลัมน์จากตารางคำนวณ</span>
        )}
        <span role="status" className="muted">
          {chosen && told?.of === chosen.key && ` · ${told.text}`}
        </span>
      </div>
      <Button
        size="small"
        disabled={!chosen}
        icon={<ArrowDownToLine size={16} aria-hidden />}
        title="Ctrl+D"
        onClick={() => chosen && fillTo(chosen, rowsBelow(data, chosen.row.packageId))}
      >
        เติมลงล่าง
      </Button>
      <Button
        size="small"
        disabled={!chosen}
        loading={filling.isPending}
        icon={<Gamepad2 size={16} aria-hidden />}
        onClick={() => chosen && filling.mutate(chosen)}
      >
        {row ? `เติมทั้งเกม ${row.game}` : 'เติมทั้งเกม'}
      </Button>
    </div>
  )
}
