import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The properties of a call that only the server reads, such as its schemas and who may make it. */
const OF_SERVER = ['summary', 'allow', 'params', 'query', 'reply', 'idempotent']

interface Node {
  type: string
  start: number
  end: number
}
interface Property extends Node {
  key?: { name?: string }
  value: Node
}
interface Identifier extends Node {
  name: string
}
/** A property of an object, or a member expression. */
interface Named extends Node {
  key?: Node
  property?: Node
  computed?: boolean
}
interface Declaration extends Node {
  declaration?: Declaration | null
  declarations?: { init: Node }[]
  specifiers?: { local: { name: string } }[]
  /** Where an import comes from. */
  source?: { value: string }
}
interface Program extends Node {
  body: Declaration[]
}
interface Call extends Node {
  callee: { name?: string }
  arguments: { properties?: Property[] }[]
}

/** A range of the code, and the text that replaces it. */
type Cut = [from: number, to: number, text: string]

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const isEndpoint = (node: Node): node is Call =>
  node.type === 'CallExpression' && (node as Call).callee.name === 'endpoint'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* nodesIn(child)
}

/** Replaces a schema by the one of `no-schemas.ts`, of which other schemas may be made. */
const instead = ({ start, end }: Node): Cut => [start, end, 'noSchema']
const NO_SCHEMA = "import { any as noSchema } from 'zod'\n"
const noSchemas = fileURLToPath(new URL('src/no-schemas.ts', import.meta.url))
/** The modules whose schemas forms check by. These keep zod. */
const OF_FORMS = /[\\/](line|fields)\.ts$/

/** Finds the outermost calls that make schemas. The module's own functions are left out: they may make endpoints. */
function* schemasIn(node: Node, code: string): Generator<Node> {
  if (/Function/.test(node.type)) return
  if (node.type !== 'CallExpression') for (const child of childrenOf(node)) yield* schemasIn(child, code)
  else if (!isEndpoint(node) && !code.includes(`const ${(node as Call).callee.name} = `)) yield node
}

/** Finds the names that the code reads; the name of a property is not read. */
function* namesIn(node: Node): Generator<string> {
  if (node.type === 'Identifier') yield (node as Identifier).name
  const { key, property, computed } = node as Named
  for (const child of childrenOf(node)) if (computed || (child !== key && child !== property)) yield* namesIn(child)
}

/** Removes imports of which nothing is used. */
function unusedImports(program: Node): Cut[] {
  const { body } = program as Program
  const imports = body.filter(({ type }) => type === 'ImportDeclaration')
  const used = new Set(body.filter(({ type }) => type !== 'ImportDeclaration').flatMap(node => [...namesIn(node)]))
  const isUsed = ({ local }: { local: { name: string } }) => used.has(local.name)
  return imports.filter(({ specifiers = [] }) => !specifiers.some(isUsed)).map(({ start, end }) => [start, end, ''])
}

/** Replaces the schemas of forms, which a call reads only on the server. */
const formSchemas = (program: Node): Cut[] =>
  (program as Program).body
    .filter(({ type, source }) => type === 'ImportDeclaration' && OF_FORMS.test(source?.value ?? ''))
    .map(({ start, end, specifiers = [] }) => [
      start,
      end,
      specifiers.map(({ local }) => `const ${local.name} = noSchema`).join('\n'),
    ])

const apply = (cuts: Cut[], code: string): string =>
  cuts.sort(([a], [b]) => b - a).reduce((text, [from, to, text2]) => text.slice(0, from) + text2 + text.slice(to), code)

/** The values of a module's constants. */
const constantsOf = (program: Node): Node[] =>
  (program as Program).body
    .map(statement => statement.declaration ?? statement)
    .flatMap(({ declarations = [] }) => declarations.map(({ init }) => init))

/** What is cut out of a call for the browser's contract. */
function cutsOf(call: Call, code: string): Cut[] {
  const properties = call.arguments[0]?.properties ?? []
  // A call that takes a file keeps its errors, because the browser refuses a wrong file by one of them.
  const takesFile = properties.some(({ key }) => key?.name === 'bodyKind')
  return properties.flatMap(({ key, value, start, end }): Cut[] => {
    const name = key?.name ?? ''
    // The client only needs to know whether there is a body.
    if (name === 'body') return [[value.start, value.end, 'true']]
    const isCut = OF_SERVER.includes(name) || (name === 'errors' && !takesFile)
    return isCut ? [[start, code[end] === ',' ? end + 1 : end, '']] : []
  })
}

const CONTRACT =
  /[\\/]shared[\\/]src[\\/](\w+[\\/][\w-]*endpoints|order[\\/](request|sold-filters)|wire|catalogue-version)\.ts$/

/** Leaves out of the build what the browser doesn't use of each call, which is three kilobytes of every first visit. */
export const withoutSchemas: Plugin = {
  name: 'without-schemas',
  apply: 'build',
  transform: {
    filter: { id: CONTRACT },
    handler(code) {
      const program = this.parse(code, { lang: 'ts' }) as unknown as Node
      const calls = [...nodesIn(program)].filter(isEndpoint)
      const schemas = constantsOf(program).flatMap(node => [...schemasIn(node, code)])
      const cuts = [...calls.flatMap(call => cutsOf(call, code)), ...schemas.map(instead), ...formSchemas(program)]
      const cut = apply(cuts, code)
      const left = this.parse(cut, { lang: 'ts' }) as unknown as Node
      return { code: NO_SCHEMA + apply(unusedImports(left), cut), map: null }
    },
  },
}

/** Builds the contract without zod, which only the forms of later pages load. */
export const withoutZod: Plugin = {
  name: 'without-zod',
  enforce: 'pre',
  apply: 'build',
  resolveId: {
    filter: { id: /^zod$/ },
    handler: (_, importer = '') =>
      /[\\/]shared[\\/]src[\\/]/.test(importer) && !OF_FORMS.test(importer) ? noSchemas : null,
  },
}

/** Takes the router as it is for production: its package gives every build the one that warns developers. */
export const productionRouter: Plugin = {
  name: 'production-router',
  enforce: 'pre',
  apply: 'build',
  resolveId: {
    filter: { id: /^react-router(\/dom)?$/ },
    async handler(source, importer, options) {
      const found = await this.resolve(source, importer, options)
      return found && { ...found, id: found.id.replace('/development/', '/production/') }
    },
  },
}

/** Leaves out the errors that only the back office can get. */
export const withoutStaffErrors: Plugin = {
  name: 'without-staff-errors',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]shared[\\/]src[\\/]staff-errors\.ts$/ },
    handler: () => ({ code: 'export const STAFF_ERRORS = {}', map: null }),
  },
}

/** Files that may name an error before the server does; a contract's list of errors is no such place. */
const sources = fileURLToPath(new URL('../', import.meta.url))
const NAMING = ['liff-app/src/**/*.{ts,tsx}', 'web/src/**/*.ts', 'shared/src/**/*.ts']
const IS_LIST = /(errors|[\w-]*endpoints|\.test)\.tsx?$/

/** What a failure is called when no server told it, and what a file is refused for before it is sent (`fileRefusal`). */
const ALWAYS_KEPT = /^(INTERNAL|UNAVAILABLE)$|_(TOO_LARGE|NOT_IMAGE|EMPTY)$/

/** Leaves out the texts of errors that only the server tells, since its answer carries them; their names stay. */
export const withoutToldTexts: Plugin = {
  name: 'without-told-texts',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]shared[\\/]src[\\/]errors\.ts$/ },
    handler(code) {
      const files = globSync(NAMING, { cwd: sources }).filter(path => !IS_LIST.test(path))
      const named = new Set(
        files.flatMap(path => readFileSync(join(sources, path), 'utf8').match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []),
      )
      const told = code.replace(
        /^( {2}([A-Z_]+): \[\s*\d{3},\s*)'[^'\n]*'/gm,
        (whole: string, before: string, name: string) =>
          named.has(name) || ALWAYS_KEPT.test(name) ? whole : `${before}''`,
      )
      return { code: told, map: null }
    },
  },
}
