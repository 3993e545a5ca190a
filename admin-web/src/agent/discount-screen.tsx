import { listBenefits, saveBenefits } from '@shop/shared/agent/endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { useUndoable } from '../audit/use-undoable.tsx'
import { ChoicesFilter, FilterBar } from '../ui/filter-bar.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { isSentOn } from '../ui/sent-on.ts'
import { idsField, textField, useUrlFilters } from '../ui/url-filters.ts'
import {
  type Cell,
  createDiscountEdits,
  type DiscountEdits,
  isFreeCell,
  isLossCell,
  keyOf,
  problemOf,
  rowsToSave,
  type Tier,
} from './discount-edits.ts'
import { DiscountGrid } from './discount-grid.tsx'
import './agent.css'

const fields = { game: idsField, package: textField }
const PAGE_SIZE = 20

/** Edits the discounts of each tier in place; a bar holds the changes until they are saved together. */
export function DiscountScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, PAGE_SIZE)
  const [edits] = useState(createDiscountEdits)
  const games = useQuery({ ...client.query(listGames), staleTime: 300_000 })
  const { game, package: text, page, pageSize } = filters
  const list = useSteadyQuery(
    client.query(listBenefits, { query: { game, package: text || undefined, page, pageSize } }),
  )
  const hasNoTier = list.data?.tiers.length === 0
  return (
    <>
      <PageHead title="ส่วนลดตัวแทน">
        {game.length === 1 && (
          <Link to={`/management/package/${game[0]}`}>
            แพ็กเกจของ {games.data?.find(({ id }) => id === game[0])?.name ?? 'เกมนี้'}
          </Link>
        )}
      </PageHead>
      <FilterBar label="ตัวกรองส่วนลด" isFiltered={isFiltered} onReset={reset}>
        <ChoicesFilter
          label="เกม"
          all="ทุกเกม"
          options={games.data?.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={game}
          width={260}
          onChange={chosen => change({ game: chosen })}
        />
        <SearchInput label="แพ็กเกจ" value={text} onSearch={typed => change({ package: typed })} />
      </FilterBar>
      {hasNoTier && <p className="barrier-note">ยังไม่มี Tier ที่ใช้งาน เพิ่มได้ที่หน้า ตัวแทนและ Tier</p>}
      <ListSection label="ตารางส่วนลด" query={list}>
        <DiscountGrid
          data={list.data}
          edits={edits}
          isLoading={list.isPending || list.isPlaceholderData}
          emptyText={isFiltered ? 'ไม่พบแพ็กเกจตามตัวกรองนี้' : 'ยังไม่มีแพ็กเกจที่ขายผ่าน Wallet'}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
      <SaveBar edits={edits} tiers={list.data?.tiers ?? []} />
    </>
  )
}

const MOST_NAMED = 10

/** Asks before packages are sold to a tier below their cost; without any there is nothing to ask. */
function useLossQuestion(tiers: readonly Tier[]) {
  const { modal } = App.useApp()
  return async (cells: readonly Cell[]): Promise<boolean> => {
    const losing = cells.filter(isLossCell)
    if (losing.length === 0) return true
    return modal.confirm({
      title: 'ขายต่ำกว่าต้นทุน?',
      content: (
        <>
          <p>ทุกชิ้นที่ตัวแทนซื้อจะขาดทุน หากขาดทุนเกินที่เคยตกลงไว้ ส่วนลดจะมีผลเมื่อผู้จัดการอีกคนยืนยัน</p>
          <CellNames cells={losing} tiers={tiers} />
        </>
      ),
      okText: 'บันทึกทั้งที่ขาดทุน',
      okButtonProps: { danger: true },
      cancelText: 'กลับไปแก้',
      focusable: { autoFocusButton: 'cancel' },
    })
  }
}

function CellNames({ cells, tiers }: { cells: readonly Cell[]; tiers: readonly Tier[] }) {
  return (
    <>
      <ul>
        {cells.slice(0, MOST_NAMED).map(cell => (
          <li key={keyOf(cell)} className="strong">
            {cell.game} {cell.packageName} · {tiers.find(({ id }) => id === cell.tierId)?.name}
          </li>
        ))}
      </ul>
      {cells.length > MOST_NAMED && <p>และอีก {cells.length - MOST_NAMED} ช่อง</p>}
    </>
  )
}

/** Asks for a confirmation before a tier gets packages free. */
function useFreeQuestion(tiers: readonly Tier[]) {
  const { modal } = App.useApp()
  return (free: readonly Cell[]) =>
    modal.confirm({
      title: 'ส่วนลดนี้ทำให้แพ็กเกจฟรี',
      content: (
        <>
          <p>ตัวแทนจะซื้อแพ็กเกจเหล่านี้ได้โดยไม่ถูกตัดเงิน</p>
          <CellNames cells={free} tiers={tiers} />
        </>
      ),
      okText: 'บันทึกเป็นฟรี',
      okButtonProps: { danger: true },
      cancelText: 'กลับไปแก้',
    })
}

/** The API accepts this many packages at once, and saves all of them or none. */
const MOST_PACKAGES = 100

function SaveBar({ edits, tiers }: { edits: DiscountEdits; tiers: readonly Tier[] }) {
  const queries = useQueryClient()
  const undoable = useUndoable()
  const askIfFree = useFreeQuestion(tiers)
  const askIfLoss = useLossQuestion(tiers)
  const cells = [...useSyncExternalStore(edits.subscribe, edits.getAll).values()]
  const reload = () => queries.invalidateQueries({ queryKey: [listBenefits.path] })
  const save = useMutation({
    mutationFn: async (sent: ReadonlyMap<string, Cell>) => {
      const save = (allowsFree: boolean) =>
        undoable.save(saveBenefits, { body: { rows: rowsToSave(sent.values()), allowsFree } })
      const asked = [...sent.values()]
      if (!(await askIfLoss(asked.filter(cell => !isFreeCell(cell))))) return null
      try {
        return await save(false)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'DISCOUNT_MAKES_FREE')) throw error
        return (await askIfFree(asked.filter(isFreeCell))) ? save(true) : null
      }
    },
    onSuccess: async (saved, sent) => {
      if (!saved) return
      undoable.tellSaved('บันทึกข้อมูลสำเร็จ')
      // The new rows arrive before the changes are removed, so that the grid never shows the old discounts again.
      await reload()
      edits.settle(sent)
    },
    onError: () => void reload(),
  })
  const wrong = cells.find(cell => problemOf(cell) !== null)
  const free = cells.filter(isFreeCell).length
  const packages = new Set(cells.map(cell => cell.packageId)).size
  const isTooMany = packages > MOST_PACKAGES
  if (cells.length === 0) return null
  return (
    <section className="save-bar" aria-label="การเปลี่ยนแปลงที่ยังไม่บันทึก">
      <LeaveGuard isActive={!save.isPending} question={`มีส่วนลดที่ยังไม่บันทึก ${cells.length} ช่อง`} />
      <div className="grow" role="status">
        <span className="strong">แก้ไข {cells.length} ช่อง</span>
        {wrong && <span className="is-bad"> · {`${wrong.packageName}: ${problemOf(wrong)}`}</span>}
        {free > 0 && <span className="is-warn"> · ทำให้ฟรี {free} ช่อง</span>}
        {isTooMany && <span className="is-bad"> · บันทึกได้ครั้งละ {MOST_PACKAGES} แพ็กเกจ</span>}
      </div>
      {save.isError && !isSentOn(save.error) && (
        <span className="is-bad" role="alert">
          บันทึกข้อมูลไม่สำเร็จ กรุณาลองอีกครั้ง!
          {save.error instanceof AppError && save.error.status < 500 && ` ${messageOf(save.error)}`}
        </span>
      )}
      <Button disabled={save.isPending} onClick={edits.clear}>
        ยกเลิกการแก้ไข
      </Button>
      <Button
        type="primary"
        loading={save.isPending}
        disabled={wrong !== undefined || isTooMany}
        onClick={() => save.mutate(edits.getAll())}
      >
        บันทึก
      </Button>
    </section>
  )
}
