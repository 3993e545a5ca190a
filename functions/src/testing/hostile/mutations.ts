import fc from 'fast-check'

/** A request before it is bytes; what is hostile in it was put there on purpose. */
export interface Draft {
  method: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  headers: Record<string, string>
  /** In place of the parameter's encoded value in the path. */
  rawParam?: string
  /** After the path and its query. */
  rawSuffix?: string
  /** In place of the body's JSON. */
  rawBody?: Buffer
}

/** Numbers from a seed, the same in every run. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number in [0, below). */
  next(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = this.#state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next(from.length))]!
  }

  isOneIn(times: number): boolean {
    return this.next(times) < 1
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '%',
  '%00',
  '%zz',
  '%25',
  '%c0%ae',
  '.',
  '..',
  '../..',
  '..\\..',
  '/',
  '//',
  '\r\n',
  'a\r\nX-Injected: 1',
  '\u202eabc',
  '\u2066x',
  '\u200b',
  '\ufeff',
  '\u0085',
  '\u2028',
  '👩‍👩‍👧‍👦',
  'ก็่้๊',
  'İ',
  'ß',
  "'",
  '"',
  "';--",
  "' OR 1=1 --",
  '$1',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '\\',
  '_',
  '%_%',
  '\\%',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e308',
  '1e999',
  '00',
  '+1',
  '١٢٣',
  '１２',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-13-01',
  '2000-00',
  '2099-12',
  '0000-01-01',
  '9999-12-31',
  '2026-02-29',
  '0001-01-01T00:00:00Z',
  'KT0000-00000000',
  'u:admin',
  'g:',
  'line:',
  'wallet:',
  'admin',
  'a'.repeat(101),
  'ก'.repeat(5000),
  'a'.repeat(70_000),
  // Whatever else the alphabet has.
  ...fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), { seed: 1, numRuns: 100 }),
]

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  { $gt: '' },
  { length: 1e9 },
  Array(2000).fill(1),
  Array(300).fill({ a: 1 }),
  ['a', 'b'],
  [1, '2'],
  { toString: 1 },
  JSON.parse('{"then":1}'),
]

/** A copy: later mutations change what is in it. */
const hostileValue = (dice: Dice) =>
  structuredClone(dice.isOneIn(3) ? dice.pick(HOSTILE_VALUES) : dice.pick(HOSTILE_TEXTS))

type Mutation = (draft: Draft, dice: Dice) => void

/** Every place in a value that something else can be put in. */
function placesOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap(key => [{ holder, key }, ...placesOf(holder[key])])
}

const changeField: Mutation = (draft, dice) => {
  const places = placesOf({ params: draft.params, query: draft.query, body: draft.body }).slice(1)
  const { holder, key } = dice.pick(places)
  holder[key] = hostileValue(dice)
}

const dropField: Mutation = ({ body, query }, dice) => {
  const places = [...placesOf(body), ...placesOf(query)]
  if (places.length === 0) return
  const { holder, key } = dice.pick(places)
  delete holder[key]
}

const addField: Mutation = ({ body, query }, dice) => {
  const holder =
    dice.isOneIn(2) && typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : query
  const key = dice.pick(['__proto__', 'constructor', 'uid', 'role', 'priceSatang', 'isAdmin', 'a\0', '\ud800', 'then'])
  Object.defineProperty(holder, key, {
    value: hostileValue(dice),
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

const repeatQuery: Mutation = ({ query }, dice) => {
  const [name] = Object.keys(query)
  if (name) query[name] = [query[name], hostileValue(dice), hostileValue(dice)]
}

const writeParam: Mutation = (draft, dice) => {
  const raw = [
    '%',
    '%zz',
    '%00',
    '%ED%A0%80',
    '%c3',
    '%ff',
    '..',
    '.',
    '%2e%2e',
    '%2f',
    '%5c',
    ';',
    '',
    '%0d%0a',
    'a'.repeat(6000),
  ]
  draft.rawParam = dice.pick(raw)
}

const writeSuffix: Mutation = (draft, dice) => {
  const raw = [
    '/',
    '//',
    '?',
    '?%',
    '?%00=1',
    '?a=%ED%A0%80',
    '?__proto__=1&__proto__=2',
    '?constructor=1',
    '#x',
    '%',
    '%2f',
  ]
  draft.rawSuffix = dice.pick([
    ...raw,
    `?${'a=1&'.repeat(500)}`,
    '?page=1&page=2',
    '?page[]=1',
    '/..',
    '/%2e%2e/%2e%2e',
  ])
}

const writeBody: Mutation = (draft, dice) => {
  const json = JSON.stringify(draft.body ?? {})
  draft.rawBody = dice.pick(
    [
      '',
      ' ',
      '{',
      json.slice(0, -1),
      `${json}${json}`,
      'null',
      '1',
      '"text"',
      '[]',
      '[1]',
      'undefined',
      nested(40_000),
      `\ufeff${json}`,
      `{"a":${nested(30)}}`,
      '{"data":null}',
      '{"data":[]}',
      '{"__proto__":{"role":"admin"}}',
      `{"data":${json},"a":"${'x'.repeat(110_000)}"}`,
    ]
      .map(text => Buffer.from(text))
      .concat([Buffer.from([0xc3, 0x28]), Buffer.from([0xff, 0xfe, 0x7b, 0x00])]),
  )
}

const changeHeader: Mutation = ({ headers }, dice) => {
  const [name, values] = dice.pick<[string, (string | null)[]]>([
    [
      'content-type',
      [
        null,
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        ';',
        'application/JSON',
      ],
    ],
    ['idempotency-key', [null, '', 'x'.repeat(300), '\u00e9', 'again', ' ', '__proto__']],
    ['guest-key', [null, 'short', '\u00e9'.repeat(30), 'x'.repeat(3000), 'constructor']],
    ['track-token', ['x', 'A'.repeat(22), '\u00ff'.repeat(22)]],
    ['x-forwarded-for', ['10.0.0.1', '::1', ',,,', 'x'.repeat(500), '1.1.1.1, fe80::1%eth0', '\u00ff']],
    ['expect', ['100-continue']],
    ['accept', ['text/html', '\u00ff']],
    ['uid', ['admin']],
    ['x-http-method-override', ['DELETE']],
  ])
  const value = dice.pick(values)
  if (value === null) delete headers[name]
  else headers[name] = value
}

const changeMethod: Mutation = (draft, dice) => {
  draft.method = dice.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])
}

const MUTATIONS: readonly Mutation[] = [
  changeField,
  changeField,
  changeField,
  changeField,
  changeField,
  changeField,
  dropField,
  addField,
  repeatQuery,
  writeParam,
  writeSuffix,
  writeBody,
  changeHeader,
  changeHeader,
  changeMethod,
]

/** Makes a valid request hostile in one to three ways; one in four stays as it is. */
export function mutate(draft: Draft, dice: Dice): void {
  if (dice.isOneIn(4)) return
  const times = 1 + Math.floor(dice.next(3))
  for (let done = 0; done < times; done++) dice.pick(MUTATIONS)(draft, dice)
}
