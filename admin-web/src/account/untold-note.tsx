import { Alert } from 'antd'

/** After a reset whose owner the shop can't tell: somebody has to. */
export const UntoldNote = () => (
  <Alert
    className="form-alert"
    type="warning"
    showIcon
    title="เจ้าของบัญชีจะไม่ได้รับแจ้ง"
    description="บัญชีนี้ไม่มี LINE หรืออีเมลที่ส่งถึงได้ กรุณาแจ้งเจ้าของด้วยตัวเอง ระบบแจ้งผู้จัดการไว้แล้ว"
  />
)
