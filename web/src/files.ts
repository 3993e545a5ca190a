import { useEffect, useState } from 'react'
import { inBangkok } from './dates.ts'

/** "Export20261120195900.csv": named after the moment in Bangkok, like the same file from the server. */
export function exportNameOf(now: Date, about = ''): string {
  return `Export${inBangkok(now).format('YYYYMMDDHHmmss')}${about && ` ${about}`}.csv`
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // Some browsers read the address only a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A sharing or saving dialog that the person closed again; that is no failure. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** An address under which the page can show a file that it holds; it is released when it is no longer shown. */
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
