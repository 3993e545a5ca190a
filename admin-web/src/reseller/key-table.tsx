import { formatBahtShort } from '@shop/shared/money.ts'
import type { ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { KEY_END, KEY_MODE, KEY_SCOPE, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, Table, type TableColumnsType } from 'antd'
import { TwoLines } from '../ui/two-lines.tsx'
import { Calls, Spending } from './figures.tsx'

export const ModeTag = ({ mode }: { mode: KeyMode }) => (
  <span className={mode === 'live' ? 'tag is-accent' : 'tag'}>{KEY_MODE[mode].label}</span>
)

type OnEnd = ((of: ResellerKeyView) => void) | null

/** An agent's keys. @param onEnd null if the viewer may end none */
export const KeyTable = ({ keys, onEnd }: { keys: readonly ResellerKeyView[]; onEnd: OnEnd }) => (
  <Table<ResellerKeyView>
    rowKey="id"
    dataSource={keys}
    columns={columnsOf(onEnd)}
    scroll={{ x: 1000 }}
    pagination={{ defaultPageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
  />
)

function columnsOf(onEnd: OnEnd): TableColumnsType<ResellerKeyView> {
  const figures = (days: 'today' | 'month', title: string): TableColumnsType<ResellerKeyView>[number] => ({
    title,
    align: 'right',
    width: 164,
    render: (_, key) => <Figures of={key} use={key[days]} />,
  })
  return [
    { title: 'คีย์', render: (_, key) => <KeyFacts of={key} /> },
    figures('today', 'วันนี้'),
    figures('month', '30 วัน'),
    {
      title: 'ใช้ล่าสุด',
      width: 164,
      render: (_, { lastUsedAt, lastUsedFrom }) =>
        lastUsedAt ? (
          <TwoLines note={lastUsedFrom}>
            <span className="number">{formatDateTimeSeconds(lastUsedAt)}</span>
          </TwoLines>
        ) : (
          <span className="muted">ยังไม่เคย</span>
        ),
    },
    { title: 'สถานะ', width: 164, render: (_, key) => <State of={key} /> },
    ...(onEnd ? [endColumn(onEnd)] : []),
  ]
}

const endColumn = (onEnd: NonNullable<OnEnd>): TableColumnsType<ResellerKeyView>[number] => ({
  title: <span className="sr-only">จัดการ</span>,
  width: 104,
  render: (_, key) =>
    key.endedAt === null && (
      <Button
        type="link"
        size="small"
        danger
        className="key-end"
        aria-label={`ยกเลิกคีย์ ${key.name}`}
        onClick={() => onEnd(key)}
      >
        ยกเลิกคีย์
      </Button>
    ),
})

/** A key that nothing was done with has only a dash. */
function Figures({ of: { mode }, use }: { of: ResellerKeyView; use: ResellerKeyView['today'] }) {
  return (
    <>
      <Calls use={use} unit=" ครั้ง" />
      {use.orders > 0 && (
        <div className="key-spending">
          <Spending use={use} isPlay={mode === 'test'} unit=" บาท" />
        </div>
      )}
    </>
  )
}

function KeyFacts({ of: { id, name, mode, scopes, addresses, dailyLimitSatang } }: { of: ResellerKeyView }) {
  const limit = dailyLimitSatang === null ? 'ไม่จำกัดยอดต่อวัน' : `ไม่เกิน ${formatBahtShort(dailyLimitSatang)} บาทต่อวัน`
  const from = addresses.length === 0 ? 'ใช้ได้จากทุก IP' : `ใช้ได้จาก ${addresses.join(', ')}`
  return (
    <TwoLines
      note={
        <>
          <div>{id}</div>
          <div>{scopes.map(scope => KEY_SCOPE[scope].label).join(' · ')}</div>
          <div>
            {limit} · {from}
          </div>
        </>
      }
    >
      <span className="strong breakable">{name}</span> <ModeTag mode={mode} />
    </TwoLines>
  )
}

function State({ of: { createdAt, endedAt, endedFor } }: { of: ResellerKeyView }) {
  const isEnded = endedAt !== null && endedFor !== null
  return (
    <>
      <span className={isEnded ? 'tag' : 'tag is-ok'}>{isEnded ? 'ยกเลิกแล้ว' : 'ใช้งานได้'}</span>
      {isEnded && <div className="note muted">{KEY_END[endedFor].label}</div>}
      <div className="note muted">
        {isEnded ? formatDateTimeSeconds(endedAt) : `สร้าง ${formatDateTimeSeconds(createdAt)}`}
      </div>
    </>
  )
}
