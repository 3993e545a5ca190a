/** Most of a file that the API reads, in characters. */
const MOST_CHARACTERS = 5_000_000

/** The text of a CSV file: UTF-8, or else Windows' Thai, in which Excel saves it. Throws in words when it is too long. */
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
