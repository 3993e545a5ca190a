/** What the back office writes: `noun.verb`, in the words of the audit log. */
export const AUDIT_ACTION = {
  'account.setRole': 'เปลี่ยนบทบาทหรือสถานะ',
  'account.updateProfile': 'แก้ข้อมูลผู้ใช้',
  'account.resetPassword': 'ตั้งรหัสผ่านใหม่',
  'account.forceChange': 'บังคับเปลี่ยนรหัสผ่านหรือ PIN',
  'account.resetPin': 'ตั้ง PIN ใหม่',
  'account.resetTotp': 'ล้างแอปยืนยันตัวตน',
  'account.takeOver': 'เจ้าของอีเมลรับบัญชีคืน',
  'agent.create': 'เพิ่มตัวแทน',
  'agent.update': 'แก้ข้อมูลตัวแทน',
  'agent.setStatus': 'เปลี่ยนสถานะตัวแทน',
  'agent.mapTier': 'กำหนด Tier',
  'tier.save': 'บันทึก Tier',
  'discount.save': 'บันทึกส่วนลด',
  'order.changeStatus': 'เปลี่ยนสถานะคำสั่งซื้อ',
  'topUp.add': 'เพิ่มรายการเติมเงิน',
  'topUp.approve': 'อนุมัติเติมเงิน',
  'topUp.reject': 'ไม่อนุมัติเติมเงิน',
  'topUp.correct': 'แก้รายการเติมเงิน',
} as const
export type AuditAction = keyof typeof AUDIT_ACTION
