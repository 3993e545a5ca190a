import { importPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Modal, Table, type TableColumnsType, Upload } from 'antd'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { readCsv } from './read-csv.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

type Result = Reply<typeof importPackages>

const count = (number: number) => number.toLocaleString('en-US')

/**
 * Imports packages and prices from a CSV file: shows the changes and mistakes first, then saves all of it or nothing.
 */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const client = useClient()
  const { save, tellSaved } = useUndoable()
  const [file, setFile] = useState<File | null>(null)
  const tryOut = useMutation({
    mutationFn: async (chosen: File) => {
      const csv = await readCsv(chosen)
      return { csv, result: await client.call(importPackages, { body: { csv, isDryRun: true } }) }
    },
  })
  const apply = useMutation({
    mutationFn: (csv: string) => save(importPackages, { body: { csv, isDryRun: false } }),
    onSuccess: ({ problems, added, changed }) => {
      // Something changed in between, so nothing was saved.
      if (problems.length > 0) return file && tryOut.mutate(file)
      tellSaved(`นำเข้าสำเร็จ เพิ่ม ${count(added)} แก้ไข ${count(changed)} แพ็กเกจ`)
      onClose()
    },
    onSettled: useCatalogueChanged(),
  })
  const choose = (chosen: File) => {
    setFile(chosen)
    apply.reset()
    tryOut.mutate(chosen)
    return false
  }
  const result = tryOut.data?.result
  const changes = result ? result.added + result.changed : 0
  const canApply = result !== undefined && !tryOut.isPending && result.problems.length === 0 && changes > 0
  return (
    <Modal
      open
      width={900}
      title="นำเข้าแพ็กเกจและราคาจาก CSV"
      okText={canApply ? `ยืนยันนำเข้า ${count(changes)} แพ็กเกจ` : 'ยืนยันนำเข้า'}
      okButtonProps={{ disabled: !canApply, autoFocus: false }}
      cancelText="ยกเลิก"
      confirmLoading={apply.isPending}
      closable={!apply.isPending}
      keyboard={!apply.isPending}
      mask={{ closable: false }}
      onOk={() => tryOut.data && apply.mutate(tryOut.data.csv)}
      onCancel={onClose}
    >
      <p className="muted form-alert">
        ใช้ไฟล์ที่ดาวน์โหลดจากปุ่ม ดาวน์โหลด CSV แล้วแก้ในโปรแกรมตาราง โดยไม่แก้คอลัมน์ id และ version แถวที่ไม่มี id คือแพ็กเกจใหม่
        ระบบจะแสดงผลให้ตรวจก่อนบันทึก
      </p>
      <div className="row form-alert">
        <Upload accept=".csv,text/csv" maxCount={1} showUploadList={false} beforeUpload={choose}>
          <Button
            icon={<FileSpreadsheet size={16} aria-hidden />}
            loading={tryOut.isPending}
            disabled={apply.isPending}
          >
            {file ? 'เลือกไฟล์อื่น' : 'เลือกไฟล์ CSV'}
          </Button>
        </Upload>
        {file && <span className="breakable">{file.name}</span>}
        {file && tryOut.isError && <Button onClick={() => tryOut.mutate(file)}>ลองอีกครั้ง</Button>}
      </div>
      <FailureNote title={tryOut.error && 'อ่านไฟล์ไม่สำเร็จ'} text={tryOut.error && textOf(tryOut.error)} />
      <FailureNote title={apply.error && 'นำเข้าไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก'} text={apply.error && messageOf(apply.error)} />
      {result && <ImportResult result={result} />}
    </Modal>
  )
}

/** When reading the file itself fails, our own text is shown. */
const textOf = (error: Error) => (error.constructor === Error ? error.message : messageOf(error))

function ImportResult({ result }: { result: Result }) {
  const { added, changed, unchanged, problems, preview } = result
  const counts = `เพิ่ม ${count(added)} · แก้ไข ${count(changed)} · ไม่เปลี่ยน ${count(unchanged)}`
  if (problems.length > 0) {
    return (
      <>
        <Alert
          type="error"
          showIcon
          role="alert"
          className="form-alert"
          title={`พบปัญหา ${count(problems.length)} จุด แก้ในไฟล์แล้วเลือกใหม่ ยังไม่มีอะไรถูกบันทึก`}
        />
        <Table
          size="small"
          aria-label="ปัญหาในไฟล์"
          rowKey={({ line, column, problem }) => `${line}/${column}/${problem}`}
          dataSource={problems}
          columns={problemColumns}
          pagination={pagination}
        />
      </>
    )
  }
  return (
    <>
      <Alert type={added + changed > 0 ? 'info' : 'warning'} showIcon className="form-alert" title={counts} />
      <Table
        size="small"
        aria-label="ตัวอย่างการเปลี่ยนแปลง"
        rowKey="line"
        dataSource={preview}
        columns={previewColumns}
        locale={{ emptyText: 'ไฟล์นี้เหมือนกับที่บันทึกอยู่แล้ว' }}
        pagination={pagination}
      />
      {preview.length < added + changed && <p className="note muted">แสดง {count(preview.length)} รายการแรก</p>}
    </>
  )
}

const pagination = { pageSize: 10, showSizeChanger: false, hideOnSinglePage: true }

const problemColumns: TableColumnsType<Result['problems'][number]> = [
  { title: 'บรรทัด', width: 90, align: 'right', dataIndex: 'line' },
  { title: 'คอลัมน์', width: 180, dataIndex: 'column' },
  { title: 'ปัญหา', dataIndex: 'problem' },
]

const previewColumns: TableColumnsType<Result['preview'][number]> = [
  { title: 'บรรทัด', width: 80, align: 'right', dataIndex: 'line' },
  { title: 'แพ็กเกจ', width: 170, dataIndex: 'name' },
  { title: 'เดิม', width: 230, render: (_, { before }) => before || <span className="muted">ใหม่</span> },
  { title: 'ใหม่', dataIndex: 'after' },
]
