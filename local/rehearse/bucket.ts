// Google Cloud Storage as far as its client library uses it: objects of one bucket over the JSON API, kept in memory.
import { createHash, randomUUID } from 'node:crypto'
import { Hono } from 'hono'

interface StoredObject {
  body: Buffer
  contentType: string
  writtenAt: Date
  generation: number
}

/** What the next calls of this kind are answered with instead. */
interface BucketFault {
  call: 'write' | 'read' | 'remove' | 'list'
  status: 403 | 404 | 429 | 500 | 503
  /** How often; for ever by standard. */
  times?: number
}

export interface Bucket {
  app: Hono
  objects: Map<string, StoredObject>
  faults: BucketFault[]
}

const PAGE = 1000
const REASONS: Record<number, string> = {
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  412: 'conditionNotMet',
  429: 'rateLimitExceeded',
  500: 'internalError',
  503: 'backendError',
}

/** `isGranted` judges the Authorization header of each call. */
export function createBucket(name: string, isGranted: (authorization: string | undefined) => boolean): Bucket {
  const objects = new Map<string, StoredObject>()
  const faults: BucketFault[] = []
  const sessions = new Map<string, { key: string; contentType: string; parts: Buffer[] }>()
  let generation = Date.now() * 1000

  const refuse = (code: number, message: string) =>
    Response.json(
      { error: { code, message, errors: [{ message, domain: 'global', reason: REASONS[code] }] } },
      { status: code },
    )

  function takeFault(call: BucketFault['call']): Response | undefined {
    const fault = faults.find(each => each.call === call)
    if (!fault) return undefined
    if (fault.times !== undefined && --fault.times <= 0) faults.splice(faults.indexOf(fault), 1)
    return refuse(fault.status, `${REASONS[fault.status]}, as told`)
  }

  function describe(key: string, { body, contentType, writtenAt, generation: ofObject }: StoredObject) {
    return {
      kind: 'storage#object',
      id: `${name}/${key}/${ofObject}`,
      name: key,
      bucket: name,
      generation: String(ofObject),
      metageneration: '1',
      contentType,
      size: String(body.length),
      md5Hash: md5(body),
      crc32c: crc32c(body),
      timeCreated: writtenAt.toISOString(),
      updated: writtenAt.toISOString(),
    }
  }

  function write(key: string, body: Buffer, contentType: string) {
    const stored = { body, contentType, writtenAt: new Date(), generation: ++generation }
    objects.set(key, stored)
    return describe(key, stored)
  }

  const app = new Hono()
  app.use(async (context, next) =>
    isGranted(context.req.header('authorization')) ? next() : refuse(401, 'Anonymous caller does not have access.'),
  )
  app.use('*/b/:bucket/*', async (context, next) =>
    context.req.param('bucket') === name ? next() : refuse(404, 'The specified bucket does not exist.'),
  )

  app.get('/storage/v1/b/:bucket', context => context.json({ kind: 'storage#bucket', id: name, name }))

  app.post('/upload/storage/v1/b/:bucket/o', async context => {
    const fault = takeFault('write')
    if (fault) return fault
    const contentType = context.req.header('content-type') ?? 'application/octet-stream'
    const key = context.req.query('name') ?? ''
    const kind = context.req.query('uploadType')
    if (kind === 'multipart') {
      const { fields, body, type } = splitRelated(Buffer.from(await context.req.arrayBuffer()), contentType)
      return context.json(write(fields.name ?? key, body, fields.contentType ?? type))
    }
    if (kind === 'resumable') {
      const fields = await context.req.json<ObjectFields>().catch((): ObjectFields => ({}))
      const id = randomUUID()
      const type = context.req.header('x-upload-content-type') ?? fields.contentType ?? contentType
      sessions.set(id, { key: fields.name ?? key, contentType: type, parts: [] })
      const location = new URL(context.req.url)
      location.searchParams.set('upload_id', id)
      return context.body(null, 200, { location: location.href })
    }
    return context.json(write(key, Buffer.from(await context.req.arrayBuffer()), contentType))
  })

  app.put('/upload/storage/v1/b/:bucket/o', async context => {
    const session = sessions.get(context.req.query('upload_id') ?? '')
    if (!session) return refuse(404, 'No such upload.')
    const fault = takeFault('write')
    if (fault) return fault
    session.parts.push(Buffer.from(await context.req.arrayBuffer()))
    const body = Buffer.concat(session.parts)
    // "bytes 0-524287/*" says that more will come.
    if (context.req.header('content-range')?.endsWith('/*'))
      return new Response(null, { status: 308, headers: { range: `bytes=0-${body.length - 1}` } })
    return context.json(write(session.key, body, session.contentType))
  })

  app.get('/storage/v1/b/:bucket/o', context => {
    const fault = takeFault('list')
    if (fault) return fault
    const { prefix = '', delimiter, pageToken = '', maxResults } = context.req.query()
    const found = [...objects.keys()].filter(key => key.startsWith(prefix) && key > pageToken).sort()
    const isBelow = (key: string) => delimiter !== undefined && key.slice(prefix.length).includes(delimiter)
    const page = found.slice(0, Number(maxResults ?? PAGE))
    const folders = page.filter(isBelow).map(key => prefix + key.slice(prefix.length).split(delimiter!)[0] + delimiter)
    const items = page.filter(key => !isBelow(key)).map(key => describe(key, objects.get(key)!))
    const nextPageToken = found.length > page.length ? page.at(-1) : undefined
    return context.json({ kind: 'storage#objects', items, prefixes: [...new Set(folders)], nextPageToken })
  })

  app.get('/storage/v1/b/:bucket/o/:key', context => {
    const fault = takeFault('read')
    if (fault) return fault
    const key = context.req.param('key')
    const found = objects.get(key)
    if (!found) return refuse(404, `No such object: ${name}/${key}`)
    if (context.req.query('alt') !== 'media') return context.json(describe(key, found))
    return context.body(new Uint8Array(found.body), 200, {
      'content-type': found.contentType,
      'x-goog-hash': `crc32c=${crc32c(found.body)},md5=${md5(found.body)}`,
      'x-goog-generation': String(found.generation),
    })
  })

  app.delete('/storage/v1/b/:bucket/o/:key', context => {
    const fault = takeFault('remove')
    if (fault) return fault
    const key = context.req.param('key')
    return objects.delete(key) ? context.body(null, 204) : refuse(404, `No such object: ${name}/${key}`)
  })

  app.notFound(context => refuse(404, `Nothing at ${context.req.method} ${context.req.path}`))
  return { app, objects, faults }
}

interface ObjectFields {
  name?: string
  contentType?: string
}

/** An upload in two parts: what the object is to be, as JSON, and its bytes. */
function splitRelated(whole: Buffer, contentType: string): { fields: ObjectFields; body: Buffer; type: string } {
  const boundary = `--${/boundary="?([^";]+)/.exec(contentType)?.[1]}`
  const starts: number[] = []
  for (let at = whole.indexOf(boundary); at >= 0; at = whole.indexOf(boundary, at + 1)) starts.push(at)
  const [first, second, end] = starts
  if (first === undefined || second === undefined || end === undefined) throw new Error('not an upload in two parts')
  const read = (from: number, to: number) => {
    const gap = whole.indexOf('\r\n\r\n', from)
    // A line break stands before the next boundary.
    return { head: whole.subarray(from, gap).toString(), content: whole.subarray(gap + 4, to - 2) }
  }
  const { head, content } = read(second, end)
  const fields = JSON.parse(read(first, second).content.toString()) as ObjectFields
  return { fields, body: content, type: /content-type: *(\S+)/i.exec(head)?.[1] ?? 'application/octet-stream' }
}

const md5 = (body: Buffer) => createHash('md5').update(body).digest('base64')

/** CRC-32C (Castagnoli), of which Google's library knows that an upload arrived whole. */
function crc32c(body: Buffer): string {
  let crc = 0xffffffff
  for (const byte of body) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
  }
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return bytes.toString('base64')
}
