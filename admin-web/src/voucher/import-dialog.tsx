import { messageOf } from '@shop/shared/errors.ts'
import { type CodePreview, importCodes, previewCodes, type Stock } from '@shop/shared/voucher/endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal, Upload } from 'antd'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { amountRule, readAmount } from '../ui/baht-rules.ts'
import { FailureNote } from '../ui/failure-note.tsx'
import { required } from '../ui/form-errors.ts'
import { CodePreviewFacts } from './code-preview.tsx'
import { count } from './counts.tsx'

interface Values {
  name: string
  cost: string
}

/** Imports a file of codes into the stock of a package: shows what is in it first, and then asks what it cost. */
export function ImportDialog({ stock, onClose }: { stock: Stock; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [keys] = useState(createRequestKeys)
  const { packageId, packageName, gameName } = stock
  const read = useMutation({
    mutationFn: (file: File) => client.call(previewCodes, { params: { packageId }, file }),
    onSuccess: (_, file) => form.setFieldValue('name', file.name.replace(/\.[^.]*$/, '').slice(0, 80)),
  })
  const take = useMutation({
    mutationFn: ({ name, cost, draftId }: Values & { draftId: string }) => {
      const body = { draftId, name: name.trim(), costSatang: readAmount(cost) }
      return client.call(importCodes, { body, idempotencyKey: keys.getKey(body) })
    },
    onSuccess: ({ imported, known }) => {
      const late = known > 0 ? ` อีก ${count(known)} รหัสมีคนนำเข้าไปก่อนแล้ว` : ''
      message.success(`นำเข้า ${count(imported)} รหัสแล้ว${late}`)
      onClose()
      return queries.invalidateQueries()
    },
  })
  const preview = read.data
  const isBusy = read.isPending || take.isPending
  const startOver = () => {
    read.reset()
    take.reset()
  }
  return (
    <Modal
      open
      width={preview ? 720 : 560}
      title={`นำเข้ารหัส ${gameName} ${packageName}`}
      mask={{ closable: false }}
      closable={!isBusy}
      keyboard={!isBusy}
      onCancel={onClose}
      footer={
        preview ? (
          <div className="drawer-footer">
            <Button disabled={isBusy} onClick={startOver}>
              เลือกไฟล์อื่น
            </Button>
            <Button type="primary" disabled={preview.good === 0} loading={take.isPending} onClick={form.submit}>
              {preview.good > 0 ? `นำเข้า ${count(preview.good)} รหัส` : 'ไม่มีรหัสใหม่'}
            </Button>
          </div>
        ) : (
          <Button onClick={onClose}>ปิด</Button>
        )
      }
    >
      {!preview && <ChooseFile isBusy={read.isPending} onChoose={file => read.mutate(file)} />}
      {!preview && read.isError && (
        <Alert type="error" showIcon role="alert" title="อ่านไฟล์ไม่สำเร็จ" description={messageOf(read.error)} />
      )}
      {preview && (
        <TakeForm
          form={form}
          preview={preview}
          failure={take.error && !take.isPending ? messageOf(take.error) : null}
          onTake={values => take.mutate({ ...values, draftId: preview.draftId })}
        />
      )}
    </Modal>
  )
}

function ChooseFile({ isBusy, onChoose }: { isBusy: boolean; onChoose: (file: File) => void }) {
  return (
    <>
      <Upload.Dragger
        accept=".csv,.txt,text/csv,text/plain"
        maxCount={1}
        showUploadList={false}
        disabled={isBusy}
        beforeUpload={file => {
          onChoose(file)
          return false
        }}
      >
        <span className="dropzone">
          <FileSpreadsheet size={28} aria-hidden />
          <span className="strong">ลากไฟล์มาวาง หรือกดเพื่อเลือกไฟล์</span>
          <span className="small muted">TXT หรือ CSV ไม่เกิน 20,000 รหัส ขั้นนี้ยังไม่นำเข้า</span>
        </span>
      </Upload.Dragger>
      {isBusy && (
        <p className="small" role="status">
          กำลังตรวจไฟล์
        </p>
      )}
      <p className="note muted">
        หนึ่งรหัสต่อบรรทัด หรือเรียงคอลัมน์เป็น รหัส, PIN, ซีเรียล, วันหมดอายุ (31/12/2570) ถ้ามีหัวตาราง เรียงอย่างไรก็ได้
        ร้านเก็บรหัสแบบเข้ารหัสและไม่เก็บไฟล์นี้
      </p>
    </>
  )
}

function TakeForm(props: {
  form: ReturnType<typeof Form.useForm<Values>>[0]
  preview: CodePreview
  failure: string | null
  onTake: (values: Values) => void
}) {
  const { form, preview, failure, onTake } = props
  return (
    <>
      <FailureNote title={failure && 'นำเข้าไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก'} text={failure} />
      <CodePreviewFacts preview={preview} />
      <Form<Values> form={form} layout="vertical" requiredMark={false} disabled={preview.good === 0} onFinish={onTake}>
        <Form.Item name="name" label="ชื่อชุด เช่น เลขที่ใบส่งของ" rules={[required('กรุณากรอกชื่อชุด')]}>
          <Input maxLength={80} autoComplete="off" />
        </Form.Item>
        <Form.Item name="cost" label="ทุนต่อหนึ่งรหัส (บาท)" rules={[amountRule('กรุณากรอกทุน เช่น 95.50')]}>
          <Input maxLength={12} inputMode="decimal" autoComplete="off" className="number" style={{ width: 180 }} />
        </Form.Item>
      </Form>
    </>
  )
}
