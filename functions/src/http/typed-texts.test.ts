import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { expect, test } from 'vitest'
import { routes } from '../start/app.ts'

/** The fields of inputs that may hold any text as it was sent, because nobody types them: by what they are instead. */
const NOT_TYPED = {
  'secrets, which are what they are': ['password', 'accessToken', 'idToken', 'code', 'state', 'attempt', 'keys'],
  'chosen from a list': ['bankCode', 'regions', 'languages', 'platforms', 'uid', 'game'],
  'yes or no in an address': ['disputed', 'gap', 'noSaleOrder', 'overdue', 'sent', 'used'],
  'given back as it came from here': [
    'acceptedWarning',
    'after',
    'cursor',
    'fromValue',
    'fromVersion',
    'header',
    'mark',
    'name',
    'seen',
    'since',
    'termsVersion',
    'usedByNo',
    'version',
  ],
  'a file, whose cells are read one by one': ['csv'],
}

interface Def {
  type: string
  format?: string
  checks?: { _zod: { def: { check: string } } }[]
  shape?: Record<string, Schema>
  options?: Schema[]
  items?: Schema[]
  element?: Schema
  innerType?: Schema
  valueType?: Schema
  in?: Schema
  out?: Schema
}
interface Schema {
  _zod: { def: Def }
}

/** What says itself which characters it takes, or makes of a text what is seen. */
const SETTLED = ['overwrite', 'string_format']

/** Names the texts within a schema that may hold any character as it was sent. */
function findFree(schema: Schema | undefined, name: string): string[] {
  if (!schema) return []
  const { type, format, checks = [], shape = {}, options = [], items = [], ...inner } = schema._zod.def
  if (type === 'string') return format || checks.some(each => SETTLED.includes(each._zod.def.check)) ? [] : [name]
  const { element, innerType, valueType } = inner
  const first = inner.in?._zod.def.type === 'transform' ? inner.out : inner.in
  return [
    ...Object.entries(shape).flatMap(([field, each]) => findFree(each, field)),
    ...[...options, ...items, element, innerType, valueType, first].flatMap(each => findFree(each, name)),
  ]
}

test('every text that people type is taken as it is seen', () => {
  const inputs = routes.flatMap(({ endpoint }) => {
    const { query, body } = endpoint as EndpointShape
    return [query, body] as (Schema | undefined)[]
  })
  const free = new Set(inputs.flatMap(each => findFree(each, '')))
  expect([...free].sort()).toEqual(Object.values(NOT_TYPED).flat().sort())
})
