import { listManagedGames, type ManagedGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnsType } from 'antd'
import { ArrowDownUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { Art } from '../ui/art.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { RowLink } from '../ui/row-link.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { textField, useUrlFilters } from '../ui/url-filters.ts'
import { GameDrawer } from './game-drawer.tsx'
import { ReorderGames } from './reorder-games.tsx'
import { SaleChip } from './sale-chip.tsx'
import { StatusFilter, statusField } from './status-filter.tsx'
import './catalogue.css'

const fields = { text: textField, status: statusField }
const PAGE_SIZE = 20

/** Tells whether a game has a name like this. */
function isCalled(game: ManagedGame, text: string): boolean {
  const names = [game.code, game.name, game.desc, game.qmsGameId ?? '', ...game.searchWords]
  return names.some(name => name.toLowerCase().includes(text.toLowerCase()))
}

export function GamesScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, PAGE_SIZE)
  const [edited, setEdited] = useState<ManagedGame | 'new' | null>(null)
  const [isReordering, setIsReordering] = useState(false)
  const list = useQuery(client.query(listManagedGames))
  const { text, status } = filters
  const shown = list.data?.filter(
    game => isCalled(game, text) && (status.length === 0 || status.includes(game.isActive ? 'active' : 'inactive')),
  )
  return (
    <>
      <PageHead title="เกมและแพ็กเกจ" />
      <FilterBar
        label="ตัวกรองเกม"
        isFiltered={isFiltered}
        onReset={reset}
        actions={
          <>
            <Button
              icon={<ArrowDownUp size={16} aria-hidden />}
              disabled={!list.data || list.data.length < 2}
              onClick={() => setIsReordering(true)}
            >
              จัดเรียงเกม
            </Button>
            <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEdited('new')}>
              เพิ่มเกม
            </Button>
          </>
        }
      >
        <SearchInput label="ชื่อหรือรหัสเกม" value={text} onSearch={typed => change({ text: typed })} />
        <StatusFilter chosen={status} onChange={chosen => change({ status: chosen })} />
      </FilterBar>
      <ListSection label="รายการเกม" query={list}>
        <Table<ManagedGame>
          rowKey="id"
          dataSource={shown}
          columns={columnsWith(setEdited)}
          loading={list.isPending}
          scroll={{ x: 1000 }}
          sticky
          locale={{
            emptyText: list.isPending ? ' ' : <NothingFound text={isFiltered ? 'ไม่พบเกมตามตัวกรองนี้' : 'ยังไม่มีเกม'} />,
          }}
          pagination={pagerOf(filters, shown?.length ?? 0, change)}
        />
      </ListSection>
      {edited && <GameDrawer game={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {isReordering && list.data && <ReorderGames games={list.data} onClose={() => setIsReordering(false)} />}
    </>
  )
}

const columnsWith = (onEdit: (game: ManagedGame) => void): TableColumnsType<ManagedGame> => [
  { title: 'ลำดับ', width: 64, align: 'right', className: 'number', dataIndex: 'no' },
  { title: 'รหัสเกม', width: 104, render: (_, { code }) => <span className="breakable">{code}</span> },
  {
    title: 'ชื่อเกม',
    width: 226,
    render: (_, { id, name, picture }) => (
      <div className="row">
        <Art picture={picture} />
        <RowLink className="strong" to={`/management/package/${id}`}>
          {name}
        </RowLink>
      </div>
    ),
  },
  { title: 'คำอธิบาย', render: (_, { desc }) => desc || '–' },
  { title: 'เกมใน QMS', width: 104, render: (_, { qmsGameId }) => qmsGameId ?? '–' },
  {
    title: 'แพ็กเกจ',
    width: 84,
    align: 'right',
    render: (_, { id, name, packageCount }) => (
      <Link className="number" to={`/management/package/${id}`} aria-label={`${packageCount} แพ็กเกจของ ${name}`}>
        {packageCount.toLocaleString('en-US')}
      </Link>
    ),
  },
  { title: 'สถานะ', width: 132, render: (_, { sale }) => <SaleChip sale={sale} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    fixed: 'end',
    width: 80,
    render: (_, game) => (
      <Button type="link" size="small" aria-label={`แก้ไข ${game.name}`} onClick={() => onEdit(game)}>
        แก้ไข
      </Button>
    ),
  },
]
