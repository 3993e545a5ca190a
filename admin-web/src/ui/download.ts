import { saveFile } from '@shop/web/files.ts'

const LINE_END = 10

/**
 * Gathers an answer, which the browser may keep on disk, and hands it to the browser's downloads when it is whole. One
 * that breaks off, or is given up by the signal, leaves no file: half a list is not one.
 * @param onLines hears how many lines have come so far
 * @throws what stopped it; an AbortError when the person gave it up
 */
export async function download(
  name: string,
  open: (signal: AbortSignal) => Promise<Response>,
  { signal, onLines }: { signal: AbortSignal; onLines: (lines: number) => void },
): Promise<void> {
  const parts: Blob[] = []
  let lines = 0
  const body = (await open(signal)).body
  if (!body) throw new Error('an answer without a body')
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(new Blob([part.value as BlobPart]))
    for (const byte of part.value) if (byte === LINE_END) lines++
    onLines(lines)
  }
  saveFile(new Blob(parts), name)
}
