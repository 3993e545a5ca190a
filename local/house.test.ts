import { expect, test } from 'vitest'
import { FLOORS, floorOf, GROUNDS, type HouseFile, NOT_NOUNS, read, readHouse } from './house.ts'
import { functionsOf, LONG, MOST_FUNCTION_LINES } from './long-functions.ts'

const MOST_LINES = 400
const EMPTY_NAME = /^(utils?|helpers?|services?|common|misc|types?)(\.|$)/i

/** Parts of the shop that a room takes although a room above gives them; one that is gone must leave this list. */
const KNOWN_PARTS_FROM_ABOVE = [
  // A code for the owner goes out at once, by LINE.
  'functions/src/access/owner-proof.ts: chat',
  // What may be paid by, and who knows players, depends on whom the shop asks.
  'functions/src/catalogue/catalogue-route.ts: gateway',
  'functions/src/catalogue/player-check.ts: suppliers',
]

const house = readHouse()
const fileAt = new Map(house.map(file => [file.path, file]))
const product = house.filter(file => !file.isForTests && GROUNDS[file.package])
const edges = product.flatMap(from => from.imports.map(path => ({ from, to: fileAt.get(path)! })))
const show = ({ from, to }: { from: HouseFile; to: HouseFile }) => `${from.path} -> ${to.path}`

test(`no file is longer than ${MOST_LINES} lines`, () => {
  const long = house.filter(({ lines }) => lines > MOST_LINES).map(({ path, lines }) => `${path}: ${lines} lines`)
  expect(long).toEqual([])
})

test(`a function of the product that is longer than ${MOST_FUNCTION_LINES} lines says why`, () => {
  const sources = product.filter(({ path }) => /\.tsx?$/.test(path))
  const long = sources.flatMap(({ path, package: name }) =>
    functionsOf(path, read(path))
      .filter(({ lines }) => lines > MOST_FUNCTION_LINES)
      .map(found => `${name} ${found.name}`),
  )
  expect([...new Set(long)].sort()).toEqual(Object.keys(LONG).sort())
})

test('a long function is found under its name, also within another and with markup', () => {
  const text = `export const Page = () => {\n  const ask = async () => {\n\n  }\n  return <p>\n    {ask}\n  </p>\n}`
  expect(functionsOf('page.tsx', text)).toEqual([
    { name: 'Page', lines: 8 },
    { name: 'ask', lines: 3 },
  ])
})

test('every file and folder has a name that says what is in it', () => {
  expect(house.map(({ path }) => path).filter(path => path.split('/').some(part => EMPTY_NAME.test(part)))).toEqual([])
})

test.each(Object.keys(FLOORS))('every room of %s stands on a floor', name => {
  const rooms = product.filter(file => file.package === name && file.room !== '' && floorOf(file) === undefined)
  expect([...new Set(rooms.map(({ room }) => room))]).toEqual([])
})

test.each(Object.keys(FLOORS))('in %s nothing imports from its own floor or above', name => {
  const back = edges.filter(({ from, to }) => {
    if (from.package !== name || to.package !== name || from.room === to.room) return false
    // A statement joins what tables there are, whoever keeps them, and says so.
    if (to.path.endsWith('/tables.ts')) return false
    const [lower, upper] = [floorOf(to), floorOf(from)]
    return lower !== undefined && upper !== undefined && lower >= upper
  })
  expect(back.map(show)).toEqual([])
})

test('a room takes only those parts of the shop that are given on its own floor or below', () => {
  const server = product.filter(file => file.package === 'functions')
  const giverOf = new Map(
    server.flatMap(file => {
      const [, given = ''] = /^declare module '[^']*\/shop\.ts' \{([\s\S]*?)^\}/m.exec(read(file.path)) ?? []
      return [...given.matchAll(/^ {4}(\w+): /gm)].map(([, part]) => [part!, file] as const)
    }),
  )
  const isAbove = (file: HouseFile, part: string) => giverOf.has(part) && floorOf(giverOf.get(part)!)! > floorOf(file)!
  const above = server
    .filter(({ room }) => room !== 'shop')
    .flatMap(file => {
      const taken = [...read(file.path).matchAll(/\bShop(?:,\s*|\[)([^>\]]*)[>\]]/g)].flatMap(([, parts]) =>
        parts!.match(/\w+/g),
      )
      return taken.filter(part => isAbove(file, part!)).map(part => `${file.path}: ${part}`)
    })
  expect(giverOf.size).toBeGreaterThan(25)
  expect(above).toEqual(KNOWN_PARTS_FROM_ABOVE)
})

test("the server's http knows no nouns", () => {
  const nouns = edges.filter(({ from, to }) => from.package === 'functions' && from.room === 'http' && to.room !== '.')
  expect(nouns.filter(({ to }) => to.package === 'shared').map(show)).toEqual([])
})

test('a package imports only from those it stands on', () => {
  const across = edges.filter(({ from, to }) => from.package !== to.package)
  expect(across.filter(({ from, to }) => !GROUNDS[from.package]?.includes(to.package)).map(show)).toEqual([])
})

test('product code imports nothing made for tests', () => {
  expect(edges.filter(({ to }) => to.isForTests).map(show)).toEqual([])
})

test('only order-money.ts adds up in SQL what an order is about, and the indexes that serve it', () => {
  const adds =
    /\b(price|tail|credit)_satang\s*[-+]|[-+]\s*(\w+\.)?(tail|credit)_satang\b|\$\{\w+\.(tail|credit)Satang\}\s*[-+]|[-+]\s*\$\{\w+\.(tail|credit)Satang\}/
  const stores = house.filter(
    ({ path, package: name }) => ['functions', 'local'].includes(name) && !/\.test\.ts$/.test(path),
  )
  const adding = stores.filter(({ path }) => adds.test(read(path))).map(({ path }) => path)
  expect(adding.sort()).toEqual(['functions/src/order/tables.ts', 'functions/src/transfer/order-money.ts'])
})

/** Most statements of these rooms ask PostgreSQL's own catalogues, which no table of the shop declares. */
const ABOUT_POSTGRES = ['database', 'operations', 'testing']

/** Rooms whose statements all say what they return (decision 0078). */
const TYPED_ROOMS = [
  ...new Set(
    product
      .filter(({ package: of, room }) => of === 'functions' && !ABOUT_POSTGRES.includes(room))
      .map(({ room }) => room),
  ),
]

test.each(TYPED_ROOMS)('in %s no row of a statement is taken on trust', name => {
  const trusts = /\bquery<|\btext: [`'](\w|\$\{[A-Z])/
  const stores = product.filter(({ package: of, room }) => of === 'functions' && room === name)
  expect(stores.filter(({ path }) => trusts.test(read(path))).map(({ path }) => path)).toEqual([])
})

test('no file imports itself by way of others', () => {
  expect(findCycles()).toEqual([])
})

test("every noun that has a folder stands in the README's list, and every noun there has one", () => {
  const [, list = ''] = /one folder per noun[^:]*: ([^.]+)\./.exec(read('README.md')) ?? []
  const listed = [...list.matchAll(/`([\w-]+)`/g)].map(([, noun]) => noun!)
  const folders = house.filter(({ path }) => path.split('/').length > 3).map(({ room }) => room.split('/')[0]!)
  const nouns = new Set(folders.filter(room => room !== '' && !NOT_NOUNS.includes(room)))
  expect([...nouns].sort()).toEqual(listed.sort())
})

test('a call is marked for other clients just when no app of ours makes it', () => {
  const contracts = product.filter(({ path }) => /^shared\/src\/.*endpoints\.ts$/.test(path))
  const calls = contracts.flatMap(({ path }) => [
    ...read(path).matchAll(/^export const (\w+) = endpoint\(\{$([\s\S]*?)^\}\)/gm),
  ])
  const isOfApp = ({ package: name }: HouseFile) => ['liff-app', 'admin-web', 'web'].includes(name)
  const words = new Set(product.filter(isOfApp).flatMap(({ path }) => read(path).match(/\w+/g) ?? []))
  const uncalled = calls.filter(([, name]) => !words.has(name!)).map(([, name]) => name)
  const marked = calls.filter(([, , body]) => /^ {2}forOthers: true,$/m.test(body!)).map(([, name]) => name)
  expect(marked).toEqual(uncalled)
  expect(marked).toContain('holdPrice')
})

/** Each circle once, as "a -> b -> a". */
function findCycles(): string[] {
  const circles = new Map<string, string>()
  const done = new Set<string>()
  const walk = (path: string, way: string[]) => {
    const start = way.indexOf(path)
    if (start >= 0) {
      const circle = way.slice(start)
      circles.set([...circle].sort().join(), [...circle, path].join(' -> '))
    }
    if (start >= 0 || done.has(path)) return
    for (const next of fileAt.get(path)!.imports) walk(next, [...way, path])
    done.add(path)
  }
  for (const { path } of house) walk(path, [])
  return [...circles.values()]
}
