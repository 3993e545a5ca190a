/** What programs outside were promised by an OpenAPI document, and what of it another document breaks. */

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  [constraint: string]: unknown
}
interface Content {
  content?: Record<string, { schema?: Schema; examples?: Record<string, unknown> }>
}
interface Operation {
  operationId?: string
  security?: object[]
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content & { headers?: Record<string, unknown> }>
}
type Paths = Record<string, Record<string, Operation>>
export interface Document {
  paths?: Paths
  webhooks?: Paths
  components?: { schemas?: Record<string, Schema> }
}

interface Surface {
  /** What must go on being so. */
  promises: Set<string>
  /** What is asked of callers, by what it is asked for; nothing may be added. */
  demands: Map<string, string>
  /** How far the values of inputs may go, by place and kind; none may become narrower. */
  bounds: Map<string, { place: string; name: string; value: number | string }>
}

const UPPER = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems']
const LOWER = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems']

/** Reads everything of a document that a program may rely on. */
function surfaceOf(document: Document): Surface {
  const surface: Surface = { promises: new Set(), demands: new Map(), bounds: new Map() }
  const { promises, demands, bounds } = surface

  const walkBounds = (schema: Schema, place: string): void => {
    for (const name of [...UPPER, ...LOWER, 'pattern']) {
      const value = schema[name] as number | string | undefined
      const before = bounds.get(`${place} ${name}`)?.value
      if (value === undefined) continue
      // Patterns of one input stand side by side.
      const together = name === 'pattern' && before ? `${before} and ${value}` : value
      bounds.set(`${place} ${name}`, { place, name, value: together })
    }
  }

  const walk = (given: Schema, place: string, isInput: boolean): void => {
    const schema = given.$ref ? document.components!.schemas![given.$ref.split('/').pop()!]! : given
    promises.add(place)
    const types = schema.type === undefined ? [] : [schema.type].flat().sort()
    // An input may accept more types in time; an answer may not.
    for (const type of isInput ? types : types.length > 0 ? [types.join(' or ')] : [])
      promises.add(`${place} is ${type}`)
    for (const value of [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])])
      promises.add(`${place} may be ${JSON.stringify(value)}`)
    if (isInput) walkBounds(schema, place)
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const isThere = `${place}.${name} is always there`
      if (schema.required?.includes(name)) isInput ? demands.set(isThere, place) : promises.add(isThere)
      walk(inner, `${place}.${name}`, isInput)
    }
    if (schema.items) walk(schema.items, `${place}[]`, isInput)
    for (const choice of [schema.anyOf, schema.oneOf, schema.allOf].flatMap(each => each ?? []))
      walk(choice, place, isInput)
  }

  const walkAll = (content: Content | undefined, place: string, isInput: boolean): void => {
    for (const [type, { schema }] of Object.entries(content?.content ?? {})) {
      promises.add(`${place} in ${type}`)
      if (schema) walk(schema, place, isInput)
    }
  }

  const walkPaths = (paths: Paths | undefined, isOurs: boolean): void => {
    for (const [path, operations] of Object.entries(paths ?? {}))
      for (const [method, operation] of Object.entries(operations)) {
        const place = `${method.toUpperCase()} ${path}`
        promises.add(place)
        promises.add(`${place} is called ${operation.operationId}`)
        if (operation.security) demands.set(`${place} needs ${JSON.stringify(operation.security)}`, place)
        for (const { in: where, name, required, schema } of operation.parameters ?? []) {
          const isThere = `${place} ${where} ${name} is always there`
          if (required) isOurs ? demands.set(isThere, place) : promises.add(isThere)
          walk(schema, `${place} ${where} ${name}`, isOurs)
        }
        walkAll(operation.requestBody, `${place} body`, isOurs)
        for (const [status, reply] of Object.entries(operation.responses)) {
          promises.add(`${place} answers ${status}`)
          for (const header of Object.keys(reply.headers ?? {})) promises.add(`${place} ${status} has ${header}`)
          for (const { examples } of Object.values(reply.content ?? {}))
            for (const code of Object.keys(examples ?? {})) promises.add(`${place} answers ${status} ${code}`)
          walkAll(reply, `${place} ${status}`, !isOurs)
        }
      }
  }
  walkPaths(document.paths, true)
  // In a webhook the shop is who calls.
  walkPaths(document.webhooks, false)
  return surface
}

const isNarrower = (name: string, before: number | string | undefined, after: number | string): boolean => {
  if (before === undefined) return true
  if (UPPER.includes(name)) return after < before
  if (LOWER.includes(name)) return after > before
  return after !== before
}

/** Returns in words what a program written for one document could not do any more with the other. */
export function findBreaks(before: Document, after: Document): string[] {
  const [was, is] = [surfaceOf(before), surfaceOf(after)]
  return [
    ...[...was.promises].filter(each => !is.promises.has(each)).map(each => `gone: ${each}`),
    // What is asked for in a place that did not exist breaks nobody.
    ...[...is.demands]
      .filter(([demand, place]) => !was.demands.has(demand) && was.promises.has(place))
      .map(([demand]) => `new: ${demand}`),
    ...[...is.bounds]
      .filter(
        ([key, { place, name, value }]) =>
          was.promises.has(place) && isNarrower(name, was.bounds.get(key)?.value, value),
      )
      .map(([key, { value }]) => `narrower: ${key} ${value}`),
  ]
}
