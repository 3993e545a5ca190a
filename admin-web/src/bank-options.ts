import { BANKS } from '@shop/shared/catalogue/banks.ts'

/** The banks to choose from in a form. */
export const bankOptions = BANKS.map(({ code, niceName, shortCode }) => ({
  value: code,
  label: `${niceName} (${shortCode})`,
}))
