import { messageOf } from '@shop/shared/errors.ts'
import { KEY_DAYS } from '@shop/shared/statement/feed-key.ts'
import { createFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, Form, Input, Modal, Select } from 'antd'
import { useClient } from '../account/session.tsx'
import { AccountSelect } from '../statement/account-select.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FailureNote } from '../ui/failure-note.tsx'

interface Values {
  name: string
  receivingAccountId: number
  /** 0: until somebody ends it. */
  days: number
}

const LIVES = [
  { value: 30, label: '30 วัน' },
  { value: 90, label: '90 วัน' },
  { value: KEY_DAYS, label: '1 ปี' },
  { value: 0, label: 'จนกว่าจะยกเลิก' },
]

/** Names a new key and the account it is of, then shows it this once. */
export function NewKeyDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const client = useClient()
  const [form] = Form.useForm<Values>()
  const create = useMutation({
    mutationFn: ({ name, receivingAccountId, days }: Values) =>
      client.call(createFeedKey, { body: { name: name.trim(), receivingAccountId, days: days || null } }),
    onSuccess: onMade,
  })
  const key = create.data?.key
  return (
    <Modal
      open
      title={key ? 'คีย์ใหม่' : 'สร้างคีย์'}
      okText={key ? 'บันทึกคีย์ไว้แล้ว' : 'สร้างคีย์'}
      cancelText="ปิด"
      cancelButtonProps={{ style: key ? { display: 'none' } : undefined }}
      confirmLoading={create.isPending}
      mask={{ closable: false }}
      closable={!create.isPending && !key}
      keyboard={!create.isPending && !key}
      onOk={() => (key ? onClose() : form.submit())}
      onCancel={onClose}
    >
      {key ? (
        <>
          <Alert
            type="warning"
            showIcon
            className="form-alert"
            title="คีย์นี้แสดงครั้งเดียว คัดลอกไปเก็บในที่ปลอดภัยก่อนปิดหน้าต่างนี้"
          />
          <div className="row">
            <code className="feed-key grow">{key}</code>
            <CopyButton text={key} what="คีย์" />
          </div>
        </>
      ) : (
        <>
          <FailureNote title={create.error && 'สร้างคีย์ไม่สำเร็จ'} text={messageOf(create.error)} />
          <Form
            form={form}
            layout="vertical"
            requiredMark={false}
            initialValues={{ days: KEY_DAYS }}
            onFinish={values => create.mutate(values)}
          >
            <Form.Item
              name="name"
              label="ชื่อคีย์"
              extra="บอกว่าเครื่องใดใช้ เช่น ตัวดึงรายการ SCB"
              rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อคีย์' }]}
            >
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
            <Form.Item name="days" label="ใช้ได้นาน">
              <Select<number> options={LIVES} />
            </Form.Item>
          </Form>
        </>
      )}
    </Modal>
  )
}
