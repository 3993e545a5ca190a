import { formatDateTimeSeconds } from '@shop/shared/time.ts'

/** "Export20261120141305.csv": the name of every CSV of the shop, by Bangkok time. */
export function nameExport(now: Date): string {
  const [day, month, year, ...time] = formatDateTimeSeconds(now).split(/\D/)
  return `Export${year}${month}${day}${time.join('')}.csv`
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // Some browsers fetch the address only after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
