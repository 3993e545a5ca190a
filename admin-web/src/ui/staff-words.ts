import type { ErrorCode } from '@shop/shared/errors.ts'

/** The texts of failures that speak to buyers, as staff read them. */
export const STAFF_WORDS = {
  INTERNAL: 'ทำรายการไม่สำเร็จ กรุณาลองอีกครั้ง',
  UNAVAILABLE: 'ระบบไม่พร้อมให้บริการชั่วคราว กรุณาลองอีกครั้ง',
} satisfies Partial<Record<ErrorCode, string>>
