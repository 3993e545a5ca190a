import { messageOf } from '@shop/shared/errors.ts'
import { KEY_DAYS } from '@shop/shared/statement/feed-key.ts'
import { createFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal, Select } from 'antd'
import { useClient } from '../account/session.tsx'
import { AccountSelect } from '../statement/account-select.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { required } from '../ui/form-errors.ts'

interface Values {
  name: string
  receivingAccountId: number
  /** 0 for a key that is valid until somebody revokes it. */
  days: number
}

const LIVES = [
  { value: 30, label: '30 วัน' },
  { value: 90, label: '90 วัน' },
  { value: KEY_DAYS, label: '1 ปี' },
  { value: 0, label: 'จนกว่าจะยกเลิก' },
]

/** Asks for the name and the account of a new key, then shows the key once. */
export function NewKeyDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const client = useClient()
  const create = useMutation({
    mutationFn: ({ name, receivingAccountId, days }: Values) =>
      client.call(createFeedKey, { body: { name: name.trim(), receivingAccountId, days: days || null } }),
    onSuccess: onMade,
  })
  if (create.data) return <NewKey secret={create.data.key} onClose={onClose} />
  return (
    <FormDialog<Values>
      title="สร้างคีย์"
      okText="สร้างคีย์"
      isBusy={create.isPending}
      failureTitle="สร้างคีย์ไม่สำเร็จ"
      failure={create.error && messageOf(create.error)}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <Form.Item name="name" label="ชื่อคีย์" extra="บอกว่าเครื่องใดใช้ เช่น ตัวดึงรายการ SCB" rules={[required('กรุณากรอกชื่อคีย์')]}>
        <Input autoFocus maxLength={60} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="receivingAccountId"
        label="ของบัญชี"
        extra="คีย์ส่งรายการได้เฉพาะบัญชีนี้ และใช้ได้ตราบที่ผู้สร้างยังมีสิทธิ์สร้างคีย์"
        rules={[{ required: true, message: 'กรุณาเลือกบัญชีธนาคาร' }]}
      >
        <AccountSelect width="100%" />
      </Form.Item>
      <Form.Item name="days" label="ใช้ได้นาน" initialValue={KEY_DAYS}>
        <Select<number> options={LIVES} />
      </Form.Item>
    </FormDialog>
  )
}

/** Shows a new key, which can't be shown again; only its button closes the dialog. */
function NewKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Modal
      open
      title="คีย์ใหม่"
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          บันทึกคีย์ไว้แล้ว
        </Button>
      }
    >
      <Alert type="warning" showIcon className="form-alert" title="คีย์นี้แสดงครั้งเดียว คัดลอกไปเก็บในที่ปลอดภัยก่อนปิดหน้าต่างนี้" />
      <div className="row">
        <code className="feed-key grow">{secret}</code>
        <CopyButton text={secret} what="คีย์" />
      </div>
    </Modal>
  )
}
