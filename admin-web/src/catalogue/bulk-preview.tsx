import type { changePackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { Alert, Button, Table, type TableColumnsType } from 'antd'
import { FailureNote } from '../ui/failure-note.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import type { BulkChange } from './use-bulk-change.ts'

type ChangedPackage = Reply<typeof changePackages>['rows'][number]

const columns: TableColumnsType<ChangedPackage> = [
  { title: 'แพ็กเกจ', render: (_, { name }) => <span className="strong">{name}</span> },
  { title: 'เดิม', width: 150, render: (_, { before }) => before || '–' },
  { title: 'ใหม่', width: 220, render: (_, { before, after }) => (after === before ? 'ไม่เปลี่ยน' : after || '–') },
  { title: 'ปัญหา', width: 240, render: (_, { problem }) => problem && <span className="is-bad">{problem}</span> },
]

/** Shows what a change of many packages would do. */
export function BulkPreview({ change, onReplacePlanned }: { change: BulkChange; onReplacePlanned?: () => void }) {
  const { preview, failure, problems, planned, leaveOutProblems } = change
  if (preview.isError && !preview.data) return <LoadError error={preview.error} onRetry={() => preview.refetch()} />
  const { rows, total = 0 } = preview.data ?? {}
  return (
    <>
      <FailureNote title={failure && 'เปลี่ยนไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก'} text={failure} />
      {planned > 0 && (
        <Alert
          type="warning"
          showIcon
          className="form-alert"
          title={`${planned.toLocaleString('en-US')} แพ็กเกจมีราคาล่วงหน้าอยู่แล้ว แต่ละราคาตั้งล่วงหน้าได้ครั้งเดียว`}
          action={<Button onClick={onReplacePlanned}>แทนที่ราคาล่วงหน้าเดิม</Button>}
        />
      )}
      {problems > 0 && (
        <Alert
          type="error"
          showIcon
          className="form-alert"
          title={`เปลี่ยนไม่ได้ ${problems.toLocaleString('en-US')} แพ็กเกจ ต้องแก้หรือตัดออกก่อน`}
          action={<Button onClick={leaveOutProblems}>ตัดที่มีปัญหาออก</Button>}
        />
      )}
      <Table<ChangedPackage>
        rowKey="id"
        size="small"
        aria-label="ตัวอย่างผลการเปลี่ยน"
        dataSource={rows}
        columns={columns}
        loading={preview.isFetching}
        locale={{ emptyText: preview.isFetching ? ' ' : <NothingFound text="ไม่เหลือแพ็กเกจให้เปลี่ยน" /> }}
        pagination={{ pageSize: 10, showSizeChanger: false, hideOnSinglePage: true }}
      />
      {rows && rows.length < total && (
        <p className="note muted">
          แสดง {rows.length.toLocaleString('en-US')} จาก {total.toLocaleString('en-US')} แพ็กเกจ
        </p>
      )}
    </>
  )
}

export const applyText = ({ changed }: BulkChange) => `ยืนยันเปลี่ยน ${changed.toLocaleString('en-US')} แพ็กเกจ`
