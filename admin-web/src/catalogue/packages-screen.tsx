import { listManagedPackages, type ManagedGame, type ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { saleGapText, saleGapTodo } from '@shop/shared/catalogue/sale-state.ts'
import { AppError } from '@shop/shared/errors.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { bangkokDay, startOfBangkokDay } from '@shop/shared/time.ts'
import { Alert, Button, Pagination, Spin, Table, type TableColumnsType } from 'antd'
import { ArrowLeft } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { textField, useUrlChoice, useUrlFilters } from '../ui/url-filters.ts'
import { BulkBar } from './bulk-bar.tsx'
import { PackageActions } from './package-actions.tsx'
import { packageColumns } from './package-columns.tsx'
import { type Open, PackageDialogs } from './package-dialogs.tsx'
import { ADDING, PRICES_OF } from './place-of-prices.ts'
import { SaleChip } from './sale-chip.tsx'
import { StatusFilter, statusField } from './status-filter.tsx'
import { useSelection } from './use-selection.ts'
import './catalogue.css'

const fields = { name: textField, status: statusField }
const PAGE_SIZE = 20

/** Shows the packages of the game in the address. */
export function PackagesScreen() {
  const gameId = Number(useParams().id)
  if (!Number.isInteger(gameId) || gameId < 1) return <NotFoundScreen />
  return <Packages key={gameId} gameId={gameId} />
}

function Packages({ gameId }: { gameId: number }) {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, PAGE_SIZE)
  const { name, status, page, pageSize } = filters
  const [chosen, setOpen] = useState<Open | null>(null)
  const [asked, ask] = useUrlChoice(PRICES_OF)
  const [isAdding, setIsAdding] = useUrlChoice(ADDING)
  const query = { name: name || undefined, status: status[0] }
  const list = useSteadyQuery(
    client.query(listManagedPackages, { params: { gameId }, query: { ...query, page, pageSize } }),
  )
  const game = list.data?.game
  const today = bangkokDay(list.data ? new Date(list.data.nowDate) : new Date())
  const columns = useMemo(
    () => packageColumns((what, sold) => setOpen({ what, sold }), startOfBangkokDay(today)),
    [today],
  )
  const sold = list.data?.rows.find(({ id }) => String(id) === asked)
  const open: Open | null = chosen ?? (sold ? { what: 'prices', sold } : isAdding ? { what: 'add' } : null)
  const selection = useSelection({ gameId, ...query }, list.data?.total ?? 0)
  if (list.error instanceof AppError && list.error.code === 'GAME_NOT_FOUND') return <NotFoundScreen />
  return (
    <>
      <Head game={game} onOpen={setOpen} />
      {game && <NextStep game={game} onAdd={() => setOpen({ what: 'add' })} />}
      <FilterBar label="ตัวกรองแพ็กเกจ" isFiltered={isFiltered} onReset={reset}>
        <SearchInput label="ชื่อแพ็กเกจ" value={name} onSearch={text => change({ name: text })} />
        <StatusFilter chosen={status} onChange={chosen => change({ status: chosen })} />
      </FilterBar>
      <ListSection label="รายการแพ็กเกจ" query={list}>
        <Spin spinning={list.isPending || list.isPlaceholderData}>
          <Rows rows={list.data?.rows} {...{ columns, isFiltered }} {...selection.checkboxes} />
        </Spin>
        <Pagination align="end" className="list-pager" {...pagerOf(filters, list.data?.total ?? 0, change)} />
      </ListSection>
      <BulkBar selection={selection} onOpen={setOpen} />
      {open && list.data && (
        <PackageDialogs
          open={open}
          game={list.data.game}
          now={new Date(list.data.nowDate)}
          selected={selection.rows}
          chosen={selection.chosen}
          onClose={isDone => {
            setOpen(null)
            if (asked) ask(null)
            if (isAdding) setIsAdding(null)
            if (isDone) selection.clear()
          }}
        />
      )}
    </>
  )
}

function Head({ game, onOpen }: { game: ManagedGame | undefined; onOpen: (open: Open) => void }) {
  return (
    <>
      <Link to="/management/game" className="row back-link">
        <ArrowLeft size={16} aria-hidden />
        เกมทั้งหมด
      </Link>
      <PageHead title={game?.name ?? 'แพ็กเกจ'} picture={game?.picture} about={game?.desc}>
        {game && <PackageActions game={game} onOpen={onOpen} />}
      </PageHead>
    </>
  )
}

/** Says what the game still needs until customers can buy it, or leads on to where they do. */
function NextStep({ game, onAdd }: { game: ManagedGame; onAdd: () => void }) {
  const { gap, fromDay } = game.sale
  const tiers = (
    <>
      <Link to={`/management/package/${game.id}/rules`}>กฎราคาของเกมนี้</Link>
      <Link to={`${STAFF_PAGE.discount.path}?game=${game.id}`}>ส่วนลดตัวแทนของเกมนี้</Link>
    </>
  )
  if (!gap)
    return (
      <p className="row small next-step">
        <SaleChip sale={game.sale} />
        <a href={`${import.meta.env.VITE_STOREFRONT_URL}/game/${game.code}`} target="_blank" rel="noreferrer">
          ดูหน้าร้าน
        </a>
        {tiers}
      </p>
    )
  return (
    <Alert
      type={gap === 'gameOff' ? 'info' : 'warning'}
      showIcon
      className="form-alert"
      title={`ยังไม่อยู่บนหน้าร้าน: ${saleGapText(gap, fromDay)} · ${saleGapTodo(gap)}`}
      action={
        gap === 'noPackages' ? (
          <Button type="primary" onClick={onAdd}>
            เพิ่มแพ็กเกจแรก
          </Button>
        ) : (
          <span className="row">{tiers}</span>
        )
      }
    />
  )
}

/** Memoised, so that turning a page draws its hundred rows once, when they have arrived. */
const Rows = memo(function Rows(props: {
  rows: ManagedPackage[] | undefined
  columns: TableColumnsType<ManagedPackage>
  isFiltered: boolean
  chosen: ManagedPackage[]
  isAll: boolean
  onChoose: (rows: ManagedPackage[]) => void
}) {
  const { rows, columns, isFiltered, chosen, isAll, onChoose } = props
  const nothing = <NothingFound text={isFiltered ? 'ไม่พบแพ็กเกจตามตัวกรองนี้' : 'เกมนี้ยังไม่มีแพ็กเกจ'} />
  return (
    <Table<ManagedPackage>
      rowKey="id"
      dataSource={rows}
      columns={columns}
      rowSelection={{
        selectedRowKeys: (isAll ? (rows ?? []) : chosen).map(({ id }) => id),
        // Rows stay selected while other pages are shown.
        preserveSelectedRowKeys: true,
        onChange: (_, chosenNow) => onChoose(chosenNow),
        getTitleCheckboxProps: () => ({ 'aria-label': 'เลือกทั้งหน้า', disabled: isAll }),
        getCheckboxProps: ({ name }) => ({ 'aria-label': `เลือก ${name}`, disabled: isAll }),
      }}
      scroll={{ x: 1000 }}
      sticky
      locale={{ emptyText: rows ? nothing : ' ' }}
      pagination={false}
    />
  )
})
