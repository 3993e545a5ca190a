import { bangkokDay } from '@shop/shared/time.ts'
import * as z from 'zod'
import type { PlainCode } from './provider.ts'

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform(value => (value === null || value === undefined ? null : String(value).trim() || null))

/** The cards of an order. Clients name their fields in two ways, and the documentation in none. */
export const cards = z
  .array(
    z.object({
      card_number: text,
      number: text,
      card_pin: text,
      pin: text,
      serial: text,
      serial_number: text,
      expired: text,
      validDate: text,
    }),
  )
  .nullish()

/** The day that a date begins with, or that lies in seconds since 1970; null for anything else. */
function dayOf(date: string | null): string | null {
  if (date === null) return null
  if (/^\d{10}$/.test(date)) return bangkokDay(new Date(Number(date) * 1000))
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0]
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null
}

/** Returns the codes that can be read; a card with a PIN alone has it for its code. */
export const codesOf = (found: z.output<typeof cards>): PlainCode[] =>
  (found ?? []).flatMap(each => {
    const [number, pin] = [each.card_number ?? each.number, each.card_pin ?? each.pin]
    const code = number ?? pin
    if (code === null) return []
    const serial = each.serial ?? each.serial_number
    return [{ code, pin: number === null ? null : pin, serial, expiresOn: dayOf(each.expired ?? each.validDate) }]
  })
