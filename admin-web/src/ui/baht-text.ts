import { type Satang, toDecimalText } from '@shop/shared/money.ts'

/** An amount as it is typed, in baht; nothing where there is none. */
export const bahtText = (satang: Satang | null): string =>
  satang === null ? '' : toDecimalText(satang).replace(/\.00$/, '')
