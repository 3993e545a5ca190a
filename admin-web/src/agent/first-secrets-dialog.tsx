import { Alert, Button, Modal } from 'antd'
import { CopyButton } from '../ui/copy-button.tsx'

/** The password and PIN with which a new agent signs in and pays for the first time. */
export interface FirstSecrets {
  name: string
  email: string | null
  /** null when the agent has one already. */
  password: string | null
  pin: string
}

/** Shows them once; only the button closes the dialog. */
export function FirstSecretsDialog({ secrets, onClose }: { secrets: FirstSecrets; onClose: () => void }) {
  const { name, email, password, pin } = secrets
  const lines = [
    ['อีเมล', email],
    ['รหัสผ่าน', password],
    ['PIN', pin],
  ].filter((line): line is [string, string] => line[1] !== null)
  return (
    <Modal
      open
      title={`ข้อมูลเข้าใช้งานครั้งแรกของ ${name}`}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          ส่งให้ตัวแทนแล้ว
        </Button>
      }
    >
      <Alert
        type="warning"
        showIcon
        title="แสดงครั้งเดียว"
        description="ปิดหน้าต่างนี้แล้วจะดูอีกไม่ได้ คัดลอกส่งให้ตัวแทนทางช่องทางที่เป็นส่วนตัว ตัวแทนต้องเปลี่ยนเมื่อเข้าใช้งานครั้งแรก"
        className="form-alert"
      />
      <dl className="secrets">
        {lines.map(([label, value]) => (
          <div key={label} className="row">
            <dt className="muted">{label}</dt>
            <dd className="grow">{value}</dd>
            <CopyButton text={value} what={label} />
          </div>
        ))}
      </dl>
    </Modal>
  )
}
