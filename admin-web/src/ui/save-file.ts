import { formatDateTimeSeconds } from '@shop/shared/time.ts'

/** "Export20261120195900.csv": the moment in Bangkok, as the server names the same file. */
export function exportName(now: Date): string {
  const [day, month, year, ...time] = formatDateTimeSeconds(now).split(/\D/)
  return `Export${year}${month}${day}${time.join('')}.csv`
}

/** Hands a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
