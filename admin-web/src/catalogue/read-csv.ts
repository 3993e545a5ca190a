/** The longest file that the API reads, in characters. */
const MOST_CHARACTERS = 5_000_000

/** Reads a CSV file in UTF-8 or in Windows-874, in which Excel saves Thai. Throws in words when it is too long. */
export async function readCsv(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer()
  const text = decode(bytes)
  if (text.length > MOST_CHARACTERS) throw new Error('ไฟล์ใหญ่เกินไป กรุณาแบ่งเป็นหลายไฟล์')
  return text
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-874').decode(bytes)
  }
}
