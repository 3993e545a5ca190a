import { AUDIT_ACTION } from '@shop/shared/audit/action.ts'
import { listChanges } from '@shop/shared/audit/changes.ts'
import { type AuditEntry, listAudit } from '@shop/shared/audit/endpoints.ts'
import { nameOfSubject, type UndoableNoun, undoOf } from '@shop/shared/audit/subject.ts'
import { type Names, toldSubject } from '@shop/shared/audit/told.ts'
import { lookUp } from '@shop/shared/table.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Table, type TableColumnsType } from 'antd'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { ChangeList } from './change-list.tsx'
import { useUndo } from './use-undo.ts'

const count = (number: number) => number.toLocaleString('en-US')

/** Undoes one change after showing its effect; a change of many things is undone as a whole. */
export function UndoButton({ entry, names }: { entry: AuditEntry; names: Names }) {
  const undo = useUndo()
  const { modal } = App.useApp()
  const action = lookUp(AUDIT_ACTION, entry.action) ?? entry.action
  const isMany = entry.changeSize > 1
  const what = isMany ? `${action} ทั้งชุด ${count(entry.changeSize)} รายการ` : `${action} ${toldSubject(entry)}`.trim()
  const ask = () =>
    modal.confirm({
      title: `ย้อนกลับ ${what}?`,
      content: (
        <>
          <p>การแก้ไขของ {formatDateTimeSeconds(entry.at)} จะถูกย้อนกลับ</p>
          {isMany ? <UndoneTogether entry={entry} /> : <Undone entry={entry} names={names} />}
        </>
      ),
      width: isMany ? 820 : 560,
      okText: 'ย้อนกลับ',
      cancelText: 'ไม่ย้อน',
      onOk: () => undo({ auditId: entry.id }, `ย้อนกลับ ${what} สำเร็จ`),
    })
  const shown = isMany ? 'ย้อนทั้งชุด' : 'ย้อนกลับ'
  return (
    <Button type="link" size="small" aria-label={`${shown} ${what}`} onClick={ask}>
      {shown}
    </Button>
  )
}

const SWITCHED_OFF = 'ที่เพิ่มไว้จะถูกปิดใช้งาน ไม่ถูกลบ'
const ORDER = 'แถวที่ย้ายจะกลับไปอยู่ลำดับเดิม แถวอื่นเรียงเหมือนเดิม'

/** Effects of an undo beside writing the old values. */
const UNDONE_NOTE: Record<UndoableNoun, { changed?: string; added?: string }> = {
  game: { added: `เกม${SWITCHED_OFF}` },
  gameOrder: { changed: ORDER },
  gameTag: { changed: 'รายการตัวกรองทั้งชุดจะกลับเป็นเดิม ถ้ามีเกมใช้ตัวกรองที่จะหายไป ระบบจะไม่ย้อน' },
  package: { added: `แพ็กเกจ${SWITCHED_OFF}` },
  packageOrder: { changed: ORDER },
  price: { changed: 'คำสั่งซื้อที่ทำไปแล้วใช้ราคาเดิมของคำสั่งซื้อนั้น' },
  priceRule: { changed: 'ราคาที่ปรับพร้อมกับกฎจะกลับเป็นเดิมด้วย' },
  paymentMethod: { changed: 'ชื่อ ลำดับ หรือเงื่อนไขของวิธีชำระเงินจะกลับเป็นเดิม' },
  receivingAccount: { added: `บัญชี${SWITCHED_OFF}` },
  banner: { added: `Banner ${SWITCHED_OFF}` },
  bannerOrder: { changed: ORDER },
  option: {},
  terms: { changed: 'ข้อความของฉบับก่อนจะถูกเผยแพร่เป็นฉบับใหม่ ทุกฉบับที่มีผู้ยอมรับแล้วยังอยู่ครบ และผู้ซื้อต้องยอมรับอีกครั้ง' },
  tier: { added: `Tier ${SWITCHED_OFF}` },
  discount: { changed: 'ส่วนลดที่ยังไม่มีมาก่อนจะถูกปิด' },
}

function noteOf({ subject, before }: AuditEntry): string | undefined {
  const undoable = undoOf(subject)
  return 'noun' in undoable ? UNDONE_NOTE[undoable.noun][before === null ? 'added' : 'changed'] : undefined
}

/** Shows the state that an undo restores. */
function Undone({ entry, names }: { entry: AuditEntry; names: Names }) {
  const note = noteOf(entry)
  return (
    <>
      {note && <p>{note}</p>}
      {entry.before !== null && <Restored entry={entry} names={names} />}
    </>
  )
}

function Restored({ entry, names }: { entry: AuditEntry; names: Names }) {
  // Restored terms get the next number, never the old one.
  const changes = listChanges(entry.after, entry.before, names).filter(({ field }) => field !== 'version')
  return <ChangeList changes={changes} />
}

/** Nobody reads more than this before pressing a button. */
const SHOWN = 50

/** Shows the undo of a change of many things, which is undone as a whole or not at all. */
function UndoneTogether({ entry }: { entry: AuditEntry }) {
  const client = useClient()
  const list = useQuery(client.query(listAudit, { query: { change: entry.changeId ?? undefined, pageSize: SHOWN } }))
  if (list.isError) return <LoadError error={list.error} onRetry={list.refetch} />
  const rows = list.data?.rows ?? []
  return (
    <>
      <p className="form-alert">
        ย้อนทั้ง {count(entry.changeSize)} รายการพร้อมกัน ที่แก้ไขจะกลับเป็นค่าเดิม ที่เพิ่มใหม่จะถูกปิดใช้งาน ถ้ามีรายการใดถูกแก้ไขอีกครั้งแล้ว
        จะไม่ย้อนเลยสักรายการ
      </p>
      <Table
        size="small"
        aria-label="สิ่งที่จะย้อนกลับ"
        rowKey="id"
        dataSource={rows}
        columns={columnsOf(list.data?.names ?? {})}
        loading={list.isPending}
        locale={{ emptyText: ' ' }}
        pagination={{ pageSize: 5, showSizeChanger: false, hideOnSinglePage: true }}
      />
      {rows.length < entry.changeSize && list.isSuccess && (
        <p className="note muted">
          แสดง {rows.length} จาก {count(entry.changeSize)} รายการ
        </p>
      )}
    </>
  )
}

const columnsOf = (names: Names): TableColumnsType<AuditEntry> => [
  { title: 'สิ่งที่แก้', width: 240, render: (_, entry) => `${nameOfSubject(entry.subject)} ${toldSubject(entry)}` },
  {
    title: 'ปัจจุบัน → กลับเป็น',
    render: (_, entry) => (entry.before === null ? noteOf(entry) : <Restored entry={entry} names={names} />),
  },
]
