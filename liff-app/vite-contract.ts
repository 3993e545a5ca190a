import type { Plugin } from 'vite'

/** What only the server reads of a call: its schemas and who may make it. The browser sends whatever the page gives it. */
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
interface Declaration extends Node {
  declaration?: Declaration | null
  declarations?: { init: Node }[]
}
interface Program extends Node {
  body: Declaration[]
}
interface Call extends Node {
  callee: { name?: string }
  arguments: { properties?: Property[] }[]
}

/** From, to, and what stands there instead. */
type Cut = [from: number, to: number, text: string]

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const isEndpoint = (node: Node): node is Call =>
  node.type === 'CallExpression' && (node as Call).callee.name === 'endpoint'

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield* nodesIn(each)
  }
}

/** Schemas are made by calls that change nothing: one that nobody reads need not be made. */
const aroundSchema = (node: Node): Cut[] => [
  [node.start, node.start, '/* @__PURE__ */ (() => '],
  [node.end, node.end, ')()'],
]

/** The values of a module's own constants. */
const constantsOf = (program: Node): Node[] =>
  (program as Program).body
    .map(statement => statement.declaration ?? statement)
    .flatMap(({ declarations = [] }) => declarations.map(({ init }) => init))

/** What stands in a call's place in the browser's contract. */
function cutsOf(call: Call, code: string): Cut[] {
  const properties = call.arguments[0]?.properties ?? []
  // The browser refuses a file in the words of the call's own failures.
  const takesFile = properties.some(({ key }) => key?.name === 'bodyKind')
  return properties.flatMap(({ key, value, start, end }): Cut[] => {
    const name = key?.name ?? ''
    // Whether there is a body is all that the client asks.
    if (name === 'body') return [[value.start, value.end, 'true']]
    const isCut = OF_SERVER.includes(name) || (name === 'errors' && !takesFile)
    return isCut ? [[start, code[end] === ',' ? end + 1 : end, '']] : []
  })
}

/** Leaves out of the build what the browser doesn't use of each call: three kilobytes of every first visit. */
export const withoutSchemas: Plugin = {
  name: 'without-schemas',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]shared[\\/]src[\\/](\w+[\\/][\w-]*endpoints|wire)\.ts$/ },
    handler(code) {
      const program = this.parse(code, { lang: 'ts' }) as unknown as Node
      const calls = [...nodesIn(program)].filter(isEndpoint)
      const schemas = constantsOf(program).filter(node => node.type === 'CallExpression' && !isEndpoint(node))
      const cuts = [...calls.flatMap(call => cutsOf(call, code)), ...schemas.flatMap(aroundSchema)].sort(
        ([a], [b]) => b - a,
      )
      const cut = cuts.reduce((text, [from, to, instead]) => text.slice(0, from) + instead + text.slice(to), code)
      return { code: cut, map: null }
    },
  },
}

/** Leaves out the failures that only the back office meets: here they would be failures this build does not know. */
export const withoutStaffErrors: Plugin = {
  name: 'without-staff-errors',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]shared[\\/]src[\\/]staff-errors\.ts$/ },
    handler: () => ({ code: 'export const STAFF_ERRORS = {}', map: null }),
  },
}
