import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useState } from 'react'
import { countText } from '../ui/pager.ts'
import type { Chosen } from './use-bulk-change.ts'

/** The most ids that the API accepts at once. */
const MOST_PACKAGES = 1000

export type Selection = ReturnType<typeof useSelection>

/** Holds which packages of a list are chosen: rows of any page, or all that match its filter. */
export function useSelection(filter: { gameId: number; name?: string; status?: 'active' | 'inactive' }, total: number) {
  const [rows, setRows] = useState<ManagedPackage[]>([])
  const [all, setAll] = useState<string | null>(null)
  // "All" holds for one filter only, because another filter matches other packages.
  const key = JSON.stringify(filter)
  const isAll = all === key
  const allText = `ทั้งหมด ${countText(total)} แพ็กเกจที่ตรงกับตัวกรอง`
  const some: Chosen = { packages: { ids: rows.map(({ id }) => id) }, text: `${countText(rows.length)} แพ็กเกจ` }
  const chosen: Chosen | null = isAll ? { packages: filter, text: allText } : rows.length > 0 ? some : null
  return {
    rows,
    checkboxes: { chosen: rows, isAll, onChoose: setRows },
    chosen,
    isTooMany: !isAll && rows.length > MOST_PACKAGES,
    /** Names the choice of all that match; null when nothing more could be chosen. */
    allText: !isAll && total > rows.length ? allText : null,
    chooseAll: () => setAll(key),
    clear: () => {
      setRows([])
      setAll(null)
    },
  }
}
