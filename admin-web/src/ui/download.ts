import { saveFile } from '@shop/web/files.ts'

const LINE_END = 10

/**
 * Reads an answer to its end and saves it as a file. An answer that breaks off or is cancelled leaves no file, because
 * half a list could be taken for the whole.
 * @param onLines is told how many lines have come so far
 * @throws the error of the call, or an AbortError when `signal` cancelled it
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
