import { useEffect, useState } from 'react'
import { formatDateTimeSeconds } from './dates.ts'

/** "Export20261120195900.csv": the moment in Bangkok, as the server names the same file. */
export function exportNameOf(now: Date, about = ''): string {
  const [day, month, year, ...time] = formatDateTimeSeconds(now).split(/\D/)
  return `Export${year}${month}${day}${time.join('')}${about && ` ${about}`}.csv`
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // Some browsers fetch the address only after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** An address for a file that only the caller may fetch; given back when it is no longer shown. */
export function useObjectUrl(file: Blob | null | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [file])
  return url
}
