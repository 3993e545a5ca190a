import type { Answer, Charge, GatewayEvent, Register } from './register.ts'

/** What the shop asks. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  /** The fields of a form or of JSON, as `source[type]`. */
  fields: Map<string, string>
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Site {
  register: Register
  origin: string
  now: Date
  /** Whether a list leaves out some of its charges, and shows that it does. */
  isHalf: boolean
}

/** How one gateway says what all of them mean: everything in which the stand-ins differ. */
export interface Dialect {
  /** The keys with which the demo shop enters, and where it asks. */
  environment(origin: string): Record<string, string>
  newId(of: 'charge' | 'event'): string
  isKey(authorization: string | undefined): boolean
  refusedKey: Answer
  tooMany: Answer
  broken: Answer
  answer(call: Call, site: Site): Answer | Promise<Answer>
  /** Does the work, or answers again what the same call was answered before. */
  once?(call: Call, register: Register, work: () => Promise<Answer>): Promise<Answer>
  event(event: GatewayEvent, origin: string): object
  /** The headers that prove whose a message is. @param isForged as somebody would write them who has no secret */
  sign(body: string, unixSeconds: number, isForged: boolean): Record<string, string>
  /** What the QR code of a charge says. It pays nobody. */
  qrText(charge: Charge, origin: string): string
}

/** Flattens a body to the names that a form has. */
export function fieldsOf(contentType: string, body: string): Map<string, string> {
  if (!contentType.includes('json')) return new Map(new URLSearchParams(body))
  const flat = new Map<string, string>()
  const walk = (value: unknown, name: string) => {
    if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) walk(inner, name ? `${name}[${key}]` : key)
    else if (value !== null && value !== undefined) flat.set(name, String(value))
  }
  if (body) walk(JSON.parse(body), '')
  return flat
}

/** The shop's own fields of a charge. */
export const metadataOf = (fields: Call['fields']): Record<string, string> =>
  Object.fromEntries(
    [...fields].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
