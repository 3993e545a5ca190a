import { type Satang, toDecimalText } from '@shop/shared/money.ts'

/** An amount in baht as people type it; '' for null. */
export const bahtText = (satang: Satang | null): string =>
  satang === null ? '' : toDecimalText(satang).replace(/\.00$/, '')
