import { App, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { LoadError } from '../ui/load-error.tsx'
import { TotpEnrolment } from './totp-enrolment.tsx'
import { useTotp } from './use-totp.ts'

/** Shows the viewer's own authenticator app: whether it is on, and buttons to turn it on or move to another. */
export function TotpPanel() {
  const { data: totp, error, refetch } = useTotp()
  const { message } = App.useApp()
  const [isChanging, setIsChanging] = useState(false)
  if (!totp) return error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton active />
  const finish = () => {
    setIsChanging(false)
    message.success('เปิดใช้แอปยืนยันตัวตนแล้ว')
  }
  if (totp.isEnrolled && !isChanging) {
    return (
      <>
        <p style={{ marginBottom: 16 }}>
          <b>เปิดใช้อยู่</b> ทุกครั้งที่เข้าสู่ระบบ ต้องกรอกรหัส 6 หลักจากแอปยืนยันตัวตน
        </p>
        <Button onClick={() => setIsChanging(true)}>เปลี่ยนแอปยืนยันตัวตน</Button>
      </>
    )
  }
  return (
    <>
      <p style={{ marginBottom: 8 }}>
        {isChanging ? 'แอปเดิมใช้ได้จนกว่าจะกรอกรหัสจากแอปใหม่ และทุกเครื่องที่ยืนยันไว้ต้องยืนยันใหม่' : <b>ยังไม่ได้เปิดใช้</b>}
      </p>
      <TotpEnrolment hasApp={isChanging} onConfirmed={finish} />
    </>
  )
}
