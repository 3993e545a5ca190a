/** A mail as it was handed in, and what its reader sees. */
export interface ReceivedMail {
  /** The sender of the envelope. */
  from: string
  to: string[]
  raw: string
  /** Decoded, by lower-case name. When a name comes several times, the last one counts. */
  headers: Record<string, string>
  text: string
  html: string
}

/** Encoded words within a header: "=?UTF-8?B?4LiB?=" and "=?UTF-8?Q?=E0=B8=81?=". */
const ENCODED = /=\?utf-8\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()

const decodeHeader = (value: string): string =>
  value.replace(ENCODED, (_, kind: string, text: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : decodeQuoted(text.replaceAll('_', ' ')),
  )

function splitPart(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map(line => /^([\w-]+):\s*(.*)$/.exec(line)).filter(found => found !== null)
  return {
    headers: Object.fromEntries(headers.map(([, name, value]) => [name!.toLowerCase(), decodeHeader(value!)])),
    body: raw.slice(end + 4),
  }
}

function decodeBody(body: string, encoding = ''): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r\n/g, '')) : body
}

/** All parts of a mail with their types. A multipart part is replaced by the parts in it. */
function listParts(raw: string): { type: string; content: string }[] {
  const { headers, body } = splitPart(raw)
  const type = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (!boundary) return [{ type, content: decodeBody(body, headers['content-transfer-encoding']) }]
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  return parts.flatMap(part => listParts(part.replace(/^\r\n/, '')))
}

/** Reads the kinds of mail that the shop writes; other mails may come out wrong. */
export function readMail({ from, to, raw }: Pick<ReceivedMail, 'from' | 'to' | 'raw'>): ReceivedMail {
  const parts = listParts(raw)
  const contentOf = (wanted: string) => parts.find(({ type }) => type.startsWith(wanted))?.content ?? ''
  const { headers } = splitPart(raw)
  return { from, to, raw, headers, text: contentOf('text/plain'), html: contentOf('text/html') }
}
