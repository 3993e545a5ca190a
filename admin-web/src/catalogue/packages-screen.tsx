import { listManagedPackages, type ManagedGame, type ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { textField, useUrlFilters } from '@shop/web/url-filters.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { PackageActions } from './package-actions.tsx'
import { packageColumns } from './package-columns.tsx'
import { type Open, PackageDialogs } from './package-dialogs.tsx'
import { StatusFilter, statusField } from './status-filter.tsx'
import { type Selection, useSelection } from './use-selection.ts'
import './catalogue.css'

const fields = { name: textField, status: statusField }
const PAGE_SIZE = 20

/** The packages of the game in the address. */
export function PackagesScreen() {
  const gameId = Number(useParams().id)
  if (!Number.isInteger(gameId) || gameId < 1) return <NotFoundScreen />
  return <Packages key={gameId} gameId={gameId} />
}

function Packages({ gameId }: { gameId: number }) {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, PAGE_SIZE)
  const { name, status, page, pageSize } = filters
  const [open, setOpen] = useState<Open | null>(null)
  const query = { name: name || undefined, status: status[0] }
  const list = useQuery({
    ...client.query(listManagedPackages, {
      params: { gameId },
      query: { ...query, page, pageSize },
    }),
    placeholderData: keepPreviousData,
  })
  const game = list.data?.game
  const selection = useSelection({ gameId, ...query }, list.data?.total ?? 0)
  if (list.error instanceof AppError && list.error.code === 'GAME_NOT_FOUND') return <NotFoundScreen />
  return (
    <>
      <Head game={game} onOpen={setOpen} />
      <FilterBar label="ตัวกรองแพ็กเกจ" isFiltered={isFiltered} onReset={reset}>
        <SearchInput label="ชื่อแพ็กเกจ" value={name} onSearch={text => change({ name: text })} />
        <StatusFilter chosen={status} onChange={chosen => change({ status: chosen })} />
      </FilterBar>
      <section className="card list" aria-label="รายการแพ็กเกจ">
        {list.isError && !list.data ? (
          <LoadError error={list.error} onRetry={() => list.refetch()} />
        ) : (
          <Table<ManagedPackage>
            rowKey="id"
            dataSource={list.data?.rows}
            columns={packageColumns((what, sold) => setOpen({ what, sold }))}
            rowSelection={checkboxesOf(selection, list.data?.rows)}
            loading={list.isPending || list.isPlaceholderData}
            scroll={{ x: 1000 }}
            locale={{ emptyText: <Empty list={list.data} isFiltered={isFiltered} /> }}
            pagination={pagerOf(filters, list.data?.total ?? 0, change)}
          />
        )}
      </section>
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

function Empty({ list, isFiltered }: { list: Reply<typeof listManagedPackages> | undefined; isFiltered: boolean }) {
  if (!list) return ' '
  return <NothingFound text={isFiltered ? 'ไม่พบแพ็กเกจตามตัวกรองนี้' : 'เกมนี้ยังไม่มีแพ็กเกจ'} />
}

/** Rows stay chosen while other pages are looked at. */
const checkboxesOf = ({ rows, isAll, choose }: Selection, shown: ManagedPackage[] = []) => ({
  selectedRowKeys: (isAll ? shown : rows).map(({ id }) => id),
  preserveSelectedRowKeys: true,
  onChange: (_: unknown, chosen: ManagedPackage[]) => choose(chosen),
  getTitleCheckboxProps: () => ({ 'aria-label': 'เลือกทั้งหน้า', disabled: isAll }),
  getCheckboxProps: ({ name }: ManagedPackage) => ({ 'aria-label': `เลือก ${name}`, disabled: isAll }),
})
