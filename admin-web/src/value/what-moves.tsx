import { formatBaht } from '@shop/shared/money.ts'
import type { ValueMoveRow } from '@shop/shared/value/endpoints.ts'
import { labelOfMove } from '@shop/shared/value/value.ts'
import type { TableColumnsType } from 'antd'
import { TwoLines } from '../ui/two-lines.tsx'
import { SubjectLink } from './subject-link.tsx'

type What = Pick<ValueMoveRow, 'kind' | 'note' | 'subject' | 'subjectName' | 'amountSatang'>

/** The columns that say what is moved, for what and how much, for finished moves and for waiting ones. */
export const whatMoves = <Row extends What>(): TableColumnsType<Row> => [
  {
    title: 'รายการ',
    render: (_, { kind, note }) => (
      <TwoLines note={note}>
        <b className="strong">{labelOfMove(kind)}</b>
      </TwoLines>
    ),
  },
  { title: 'เรื่อง', width: 200, render: (_, move) => <SubjectLink {...move} /> },
  {
    title: 'จำนวนเงิน (บาท)',
    align: 'right',
    width: 140,
    render: (_, { amountSatang }) =>
      amountSatang > 0 ? (
        <span className="number strong">{formatBaht(amountSatang)}</span>
      ) : (
        <span className="muted">–</span>
      ),
  },
]
