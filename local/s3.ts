// Amazon's S3 as far as pgBackRest and restic use it: the objects of one bucket, kept in memory, by path.
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import { listen } from './listen.ts'
import type { Certificate } from './x509.ts'

export interface S3 {
  port: number
  objects: Map<string, Buffer>
  /** Answers every call with a failure from now on. */
  fail(): void
  stop(): Promise<void>
}

const escaped = (text: string) => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)
const xml = (text: string) =>
  new Response(`<?xml version="1.0"?>${text}`, { headers: { 'content-type': 'application/xml' } })
const error = (status: number, code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status })
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`

export async function startS3(bucket: string, key: string, certificate: Certificate): Promise<S3> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let fails = false

  function list({ searchParams }: URL): Response {
    const prefix = searchParams.get('prefix') ?? ''
    const isBelow = (name: string) => searchParams.get('delimiter') === '/' && name.slice(prefix.length).includes('/')
    const found = [...objects.keys()].filter(name => name.startsWith(prefix)).sort()
    const folders = new Set(found.filter(isBelow).map(name => `${prefix}${name.slice(prefix.length).split('/')[0]}/`))
    const contents = found
      .filter(name => !isBelow(name))
      .map(name => {
        const body = objects.get(name)!
        return `<Contents><Key>${escaped(name)}</Key><LastModified>${new Date().toISOString()}</LastModified><ETag>${etagOf(body)}</ETag><Size>${body.length}</Size></Contents>`
      })
    const prefixes = [...folders].map(name => `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`)
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>false</IsTruncated>${contents.join('')}${prefixes.join('')}</ListBucketResult>`,
    )
  }

  function get(name: string, range: string | null, hasBody: boolean): Response {
    const body = objects.get(name)
    if (!body) return error(404, 'NoSuchKey')
    const headers = { etag: etagOf(body), 'last-modified': new Date().toUTCString(), 'accept-ranges': 'bytes' }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
    const part = from === undefined ? body : body.subarray(Number(from), to ? Number(to) + 1 : undefined)
    const length = { ...headers, 'content-length': String(part.length) }
    return new Response(hasBody ? new Uint8Array(part) : null, {
      status: from === undefined ? 200 : 206,
      headers: length,
    })
  }

  async function post(name: string, { searchParams }: URL, body: string): Promise<Response> {
    if (searchParams.has('delete')) {
      for (const [, each] of body.matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(each!)
      return xml('<DeleteResult></DeleteResult>')
    }
    if (searchParams.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const parts = uploads.get(searchParams.get('uploadId')!)
    if (!parts) return error(404, 'NoSuchUpload')
    objects.set(name, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)))
    return xml(
      `<CompleteMultipartUploadResult><ETag>${etagOf(objects.get(name)!)}</ETag></CompleteMultipartUploadResult>`,
    )
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (fails) return error(403, 'AccessDenied')
    if (!request.headers.get('authorization')?.includes(`Credential=${key}/`)) return error(403, 'InvalidAccessKeyId')
    const [, named, ...rest] = decodeURIComponent(url.pathname).split('/')
    if (named !== bucket) return error(404, 'NoSuchBucket')
    const name = rest.join('/')
    const body = Buffer.from(await request.arrayBuffer())
    if (request.method === 'POST') return post(name, url, body.toString())
    if (url.searchParams.has('location')) return xml('<LocationConstraint></LocationConstraint>')
    if (name === '') return request.method === 'HEAD' ? new Response(null) : list(url)
    if (request.method === 'DELETE') {
      objects.delete(name)
      return new Response(null, { status: 204 })
    }
    if (request.method !== 'PUT') return get(name, request.headers.get('range'), request.method === 'GET')
    const parts = uploads.get(url.searchParams.get('uploadId') ?? '')
    if (parts) parts.set(Number(url.searchParams.get('partNumber')), body)
    else objects.set(name, body)
    return new Response(null, { headers: { etag: etagOf(body) } })
  }

  const server = createServer({ key: certificate.key, cert: certificate.cert }, getRequestListener(answer))
  const { port, stop } = await listen(server, 0)
  const fail = () => {
    fails = true
  }
  return { port, objects, fail, stop }
}
