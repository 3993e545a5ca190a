import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useState } from 'react'
import { countText } from '../ui/pager.ts'
import type { Chosen } from './use-bulk-change.ts'

/** The API takes this many packages by their ids. */
const MOST_PACKAGES = 1000

export type Selection = ReturnType<typeof useSelection>

/** The packages that were chosen in a list: rows of any page, or all that its filter shows. */
export function useSelection(filter: { gameId: number; name?: string; status?: 'active' | 'inactive' }, total: number) {
  const [rows, setRows] = useState<ManagedPackage[]>([])
  const [all, setAll] = useState<string | null>(null)
  // With another filter "all" would be others.
  const key = JSON.stringify(filter)
  const isAll = all === key
  const allText = `ทั้งหมด ${countText(total)} แพ็กเกจที่ตรงกับตัวกรอง`
  const some: Chosen = { packages: { ids: rows.map(({ id }) => id) }, text: `${countText(rows.length)} แพ็กเกจ` }
  const chosen: Chosen | null = isAll ? { packages: filter, text: allText } : rows.length > 0 ? some : null
  return {
    rows,
    /** What the table's checkboxes show and change. */
    checkboxes: { chosen: rows, isAll, onChoose: setRows },
    chosen,
    isTooMany: !isAll && rows.length > MOST_PACKAGES,
    /** What more could be chosen. */
    allText: !isAll && total > rows.length ? allText : null,
    chooseAll: () => setAll(key),
    clear: () => {
      setRows([])
      setAll(null)
    },
  }
}
