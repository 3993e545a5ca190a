import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { isOneOf, lookUp } from '@shop/shared/table.ts'
import { listValueMovers, listValueMoves, type ValueMoveRow, type ValueMover } from '@shop/shared/value/endpoints.ts'
import { labelOfMove, VALUE_MOVE, VALUE_MOVE_KINDS } from '@shop/shared/value/value.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Table, type TableColumnsType } from 'antd'
import dayjs from 'dayjs'
import { useClient } from '../account/session.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { TwoLines } from '../ui/two-lines.tsx'
import { dayField, type Field, textField, useUrlFilters } from '../ui/url-filters.ts'
import { whatMoves } from './what-moves.tsx'
import './value.css'

/** A kind of move; empty for all of them. */
const kindField: Field<string> = {
  read: ([kind = '']) => (isOneOf(VALUE_MOVE_KINDS, kind) ? kind : ''),
  write: kind => (kind ? [kind] : []),
}
const fields = { week: dayField, uid: textField, kind: kindField }

const kindOptions = VALUE_MOVE_KINDS.map(kind => ({ value: kind as string, label: VALUE_MOVE[kind].label }))

type Choose = (of: { uid: string; kind: string }) => void

/** The moves of one week: their sum per person, and each single one. */
export function ValueMovesScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { week, uid, kind, page, pageSize } = filters
  const ofWeek = { week: week ?? undefined }
  const movers = useQuery({ ...client.query(listValueMovers, { query: ofWeek }), placeholderData: keepPreviousData })
  const moves = useQuery({
    ...client.query(listValueMoves, {
      query: { ...ofWeek, uid: uid || undefined, kind: kind || undefined, page, pageSize },
    }),
    placeholderData: keepPreviousData,
  })
  const people = movers.data?.movers.map(mover => ({ value: mover.uid, label: mover.name ?? mover.uid }))
  const isLoading = moves.isPending || moves.isPlaceholderData
  return (
    <>
      <PageHead title="ใครเคลื่อนย้ายมูลค่า">
        {movers.data && (
          <span className="muted number">
            {formatDay(movers.data.from)} – {formatDay(movers.data.to)}
          </span>
        )}
      </PageHead>
      <FilterBar label="ตัวกรองการเคลื่อนย้ายมูลค่า" isFiltered={isFiltered} onReset={reset}>
        <DatePicker
          picker="week"
          aria-label="สัปดาห์"
          placeholder="สัปดาห์นี้"
          value={week ? dayjs(week) : null}
          onChange={day => change({ week: day?.format('YYYY-MM-DD') ?? null })}
          style={{ width: 150 }}
        />
        <ChoiceFilter
          label="ผู้ทำรายการ"
          all="ทุกคน"
          options={people}
          chosen={uid}
          width={190}
          onChange={chosen => change({ uid: chosen })}
        />
        <ChoiceFilter
          label="ชนิดรายการ"
          all="ทุกชนิด"
          options={kindOptions}
          chosen={kind}
          width={260}
          onChange={chosen => change({ kind: chosen })}
        />
      </FilterBar>
      <ListSection label="ยอดรวมต่อคน" query={movers}>
        <Table<ValueMover>
          rowKey="uid"
          dataSource={movers.data?.movers}
          columns={moverColumns(of => change(of))}
          loading={movers.isPending || movers.isPlaceholderData}
          scroll={{ x: 700 }}
          locale={{ emptyText: movers.isPending ? ' ' : <NothingFound text="สัปดาห์นี้ไม่มีใครเคลื่อนย้ายมูลค่า" /> }}
          pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        />
      </ListSection>
      <ListSection label="รายการเคลื่อนย้ายมูลค่า" query={moves} className="single-moves">
        <Table<ValueMoveRow>
          rowKey="id"
          dataSource={moves.data?.rows}
          columns={moveColumns}
          loading={isLoading}
          scroll={{ x: 980 }}
          sticky
          locale={{ emptyText: isLoading ? ' ' : <NothingFound text="ไม่มีรายการในตัวกรองนี้" /> }}
          pagination={pagerOf(filters, moves.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

/** Kinds are not added up: what was imported, set aside and paid out may be the same money three times. */
const moverColumns = (onChoose: Choose): TableColumnsType<ValueMover> => [
  {
    title: 'ผู้ทำรายการ',
    width: 220,
    render: (_, { uid, name, role }) => (
      <TwoLines note={lookUp(ROLE_LABELS, role) ?? role}>
        <Button
          type="link"
          className="row-opener"
          style={{ padding: 0, height: 'auto' }}
          onClick={() => onChoose({ uid, kind: '' })}
        >
          {name ?? uid}
        </Button>
      </TwoLines>
    ),
  },
  {
    title: 'รายการ',
    render: (_, { uid, kinds }) => (
      <ul className="moves">
        {kinds.map(({ kind, count, sumSatang, seconded }) => (
          <li key={kind}>
            <Button type="link" style={{ padding: 0, height: 'auto' }} onClick={() => onChoose({ uid, kind })}>
              {labelOfMove(kind)}
            </Button>{' '}
            <span className="number">{count.toLocaleString('en-US')} ครั้ง</span>
            {sumSatang > 0 && <b className="strong number"> ฿{formatBaht(sumSatang)}</b>}
            {seconded > 0 && <span className="muted number"> มีคนที่สอง {seconded.toLocaleString('en-US')}</span>}
          </li>
        ))}
      </ul>
    ),
  },
]

const moveColumns: TableColumnsType<ValueMoveRow> = [
  {
    title: 'เวลา',
    width: 150,
    render: (_, { at }) => <span className="number small">{formatDateTimeSeconds(at)}</span>,
  },
  { title: 'ผู้ทำรายการ', width: 150, render: (_, { name, uid }) => <span className="breakable">{name ?? uid}</span> },
  ...whatMoves<ValueMoveRow>(),
  {
    title: 'คนที่สอง',
    width: 150,
    render: (_, { secondName, isAlone }) =>
      secondName ?? <span className="muted">{isAlone ? 'ร้านไม่มีคนอื่น' : 'ไม่ต้องมี'}</span>,
  },
]
