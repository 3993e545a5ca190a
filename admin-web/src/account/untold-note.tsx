import { Alert } from 'antd'

/** Shown after a reset when the shop can't reach the owner, so that somebody else must tell them. */
export const UntoldNote = () => (
  <Alert
    className="form-alert"
    type="warning"
    showIcon
    title="เจ้าของบัญชีจะไม่ได้รับแจ้ง"
    description="บัญชีนี้ไม่มี LINE หรืออีเมลที่ส่งถึงได้ กรุณาแจ้งเจ้าของด้วยตัวเอง ระบบแจ้งผู้จัดการไว้แล้ว"
  />
)
