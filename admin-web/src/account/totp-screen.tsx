import { Button } from 'antd'
import { BrandMark } from '../ui/brand.tsx'
import { ConfirmForm } from './code-form.tsx'
import { useSession } from './session.tsx'
import { TotpEnrolment } from './totp-enrolment.tsx'
import './account.css'

/** Replaces every page until this session is confirmed with a code. */
export function TotpScreen({ isEnrolled }: { isEnrolled: boolean }) {
  const session = useSession()
  return (
    <main className="centre-page">
      <div className="card sign-in">
        <BrandMark />
        <h1>{isEnrolled ? 'ยืนยันตัวตน' : 'ตั้งค่าแอปยืนยันตัวตน'}</h1>
        {isEnrolled ? <ConfirmForm /> : <TotpEnrolment />}
        {isEnrolled && (
          <p className="muted small" style={{ marginTop: 16 }}>
            ไม่มีแอปแล้ว? กรุณาให้ผู้ดูแลระบบรีเซ็ตแอปยืนยันตัวตนให้
          </p>
        )}
        <Button type="link" block style={{ marginTop: 8 }} onClick={() => session.signOut()}>
          ออกจากระบบ
        </Button>
      </div>
    </main>
  )
}
