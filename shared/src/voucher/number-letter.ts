import { type WrittenLetter, writeLetter } from '../letter.ts'
import { OPENING_SECONDS } from '../order/codes.ts'

const FOOT = 'อีเมลนี้ส่งตามคำขอจากหน้าคำสั่งซื้อ กรุณาอย่าตอบกลับ ร้านไม่ขอตัวเลขนี้หรือรหัสสินค้าทางแชทหรือโทรศัพท์'

/** The mail with the number that opens the codes of a guest's order. It has none of the codes. */
export const numberLetter = (order: { orderNo: string; goods: string; number: string; url: string }): WrittenLetter =>
  writeLetter({
    title: `${order.number} คือตัวเลขสำหรับเปิดดูรหัส`,
    opening: `กรอกตัวเลขนี้ในหน้าคำสั่งซื้อภายใน ${OPENING_SECONDS / 60} นาที`,
    facts: [
      { label: 'ตัวเลข', value: order.number },
      { label: 'สินค้า', value: order.goods },
      { label: 'เลขที่', value: order.orderNo },
    ],
    advice: 'หากคุณไม่ได้ขอ ไม่ต้องทำอะไร และอย่าบอกตัวเลขนี้กับใคร',
    action: { label: 'เปิดคำสั่งซื้อ', url: order.url },
    foot: FOOT,
  })
