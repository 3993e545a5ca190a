import { AppError, messageOf } from '@shop/shared/errors.ts'

/** Says that a change was not saved, and why: a browser without a network hears of its network and not of the shop. */
export function notSaved(error: unknown): string {
  const isAway = error instanceof AppError && error.code === 'UNAVAILABLE'
  if (isAway && !navigator.onLine) return 'บันทึกข้อมูลไม่สำเร็จ เครื่องนี้ออฟไลน์อยู่ ลองอีกครั้งเมื่อกลับมาออนไลน์'
  return `บันทึกข้อมูลไม่สำเร็จ ${messageOf(error)}`
}
