import fc, { type Arbitrary } from 'fast-check'
import type * as z from 'zod'

/** Values that fields of a name may have: ids of what is in the shop, whoever it belongs to. Grows with what replies name. */
export type Pool = Record<string, unknown[]>

/** Texts of the shapes that contracts ask for by pattern. */
const SHAPED = [
  'KT2611-01234567',
  '2026-11',
  '2026-11-20',
  '2026-11-20T05:00:00.000Z',
  '1234',
  '004',
  '123-456-7890',
  '0812345678',
  'AAAAAAAAAAAAAAAAAAAAAA',
  'someone@test.shop',
  'https://shop.test/',
  '5123456789',
  '1',
  'ก',
  'name',
  '018f0000-0000-7000-8000-000000000000',
]

interface Def {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  entries?: Record<string, unknown>
  values?: unknown[]
}

interface Bag {
  minimum?: number
  maximum?: number
}

const partsOf = (schema: z.ZodType) => schema._zod as unknown as { def: Def; bag: Bag }

/** Values that a schema accepts, ids mostly taken from the pool. `name` is the field's. */
export function validValues(schema: z.ZodType, pool: Pool, name = ''): Arbitrary<unknown> {
  const known = pool[name]?.filter(value => schema.safeParse(value).success) ?? []
  const own = ownValues(schema, pool, name)
  return known.length > 0
    ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: own })
    : own
}

function ownValues(schema: z.ZodType, pool: Pool, name: string): Arbitrary<unknown> {
  const { def, bag } = partsOf(schema)
  const inner = (each: z.ZodType) => validValues(each, pool, name)
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape!).map(([key, field]) => [key, validValues(field, pool, key)])
      return fc.record(Object.fromEntries(fields))
    }
    case 'array':
      return fc.array(inner(def.element!), { minLength: 1, maxLength: 3 })
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.option(inner(def.innerType!), { nil: undefined })
    case 'nullable':
      return fc.option(inner(def.innerType!), { nil: null })
    case 'pipe':
      return inner(partsOf(def.in!).def.type === 'transform' ? def.out! : def.in!)
    case 'union':
      return fc.oneof(...def.options!.map(inner))
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries!))
    case 'literal':
      return fc.constantFrom(...def.values!)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.integer({ min: Math.max(bag.minimum ?? 0, -1000), max: Math.min(bag.maximum ?? 1000, 1_000_000) })
    case 'string':
      return texts(schema, bag)
    default:
      throw new Error(`no values for a schema of type ${def.type}`)
  }
}

function texts(schema: z.ZodType, { minimum = 0, maximum = 60 }: Bag): Arbitrary<string> {
  const shaped = SHAPED.filter(text => schema.safeParse(text).success)
  const free = fc.string({ unit: 'grapheme', minLength: minimum, maxLength: Math.min(maximum, 60) })
  return shaped.length > 0 ? fc.oneof(fc.constantFrom(...shaped), free) : free
}
