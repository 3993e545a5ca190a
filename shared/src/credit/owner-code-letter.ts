import { type WrittenLetter, writeLetter } from '../letter.ts'
import { OPENING_SECONDS } from '../order/codes.ts'

/** What the owner of an account is told with a code, in LINE and by mail. */
export const OWNER_CODE = {
  title: (code: string) => `${code} คือรหัสยืนยันเจ้าของบัญชี`,
  opening: `มีผู้กำลังตั้ง PIN ครั้งแรกของบัญชีนี้ ถ้าเป็นคุณ กรอกรหัสในหน้าตั้ง PIN ภายใน ${OPENING_SECONDS / 60} นาที`,
  advice: 'อย่าบอกรหัสนี้กับใคร แม้แต่ทีมงานร้าน ถ้าคุณไม่ได้ขอ แปลว่ามีคนอื่นเข้าบัญชีของคุณอยู่ กรุณาติดต่อร้านทันที',
} as const

/** The mail with the code by which the owner of an account proves that it is theirs. */
export const ownerCodeLetter = (code: string, url: string): WrittenLetter =>
  writeLetter({
    title: OWNER_CODE.title(code),
    opening: OWNER_CODE.opening,
    facts: [{ label: 'รหัส', value: code }],
    advice: OWNER_CODE.advice,
    action: { label: 'เปิดหน้าตั้ง PIN', url },
  })
