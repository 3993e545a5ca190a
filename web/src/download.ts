import { saveFile } from './files.ts'

/** Where a download's bytes go. Nothing is there to be opened before `finish`. */
interface Target {
  write(chunk: Uint8Array): Promise<void>
  finish(): Promise<void>
  discard(): Promise<void>
}

/** What browsers that can write to a chosen file offer; the others have no such function. */
type PickFile = (options: { suggestedName: string }) => Promise<{
  createWritable(): Promise<{ write(chunk: Uint8Array): Promise<void>; close(): Promise<void>; abort(): Promise<void> }>
}>

/**
 * A file that the person chooses, written as the bytes arrive. Where the browser can't, they are gathered for its own
 * downloads: the browser may keep what it is handed on disk.
 */
async function openTarget(name: string): Promise<Target> {
  const pick = (window as { showSaveFilePicker?: PickFile }).showSaveFilePicker
  if (pick) {
    const file = await (await pick({ suggestedName: name })).createWritable()
    return { write: chunk => file.write(chunk), finish: () => file.close(), discard: () => file.abort() }
  }
  const parts: Blob[] = []
  return {
    write: async chunk => void parts.push(new Blob([chunk as BlobPart])),
    finish: async () => saveFile(new Blob(parts), name),
    discard: async () => void parts.splice(0),
  }
}

const LINE_END = 10

/**
 * Saves an answer as a file while it arrives. An answer that breaks off, or is given up by the signal, leaves no file:
 * half a list is not one.
 * @param onLines hears how many lines have come so far
 * @throws what stopped it; an AbortError when the person gave it up
 */
export async function download(
  name: string,
  open: (signal: AbortSignal) => Promise<Response>,
  { signal, onLines }: { signal: AbortSignal; onLines: (lines: number) => void },
): Promise<void> {
  // Asked for first: the browser allows it only right after the click.
  const target = await openTarget(name)
  let lines = 0
  try {
    const body = (await open(signal)).body
    if (!body) throw new Error('an answer without a body')
    const reader = body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await target.write(part.value)
      for (const byte of part.value) if (byte === LINE_END) lines++
      onLines(lines)
    }
    await target.finish()
  } catch (error) {
    await target.discard()
    throw error
  }
}
