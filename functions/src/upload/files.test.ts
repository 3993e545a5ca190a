import { mkdtemp, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Storage } from '@google-cloud/storage'
import { type Http2Bindings, type HttpBindings, type ServerType, serve } from '@hono/node-server'
import { type Bucket, createBucket } from 'local/rehearse/bucket.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { BUCKET_RIGHT, type Files, openFiles } from './files.ts'

// Files in a bucket, by Google's own client over its real protocol.

let bucket: Bucket
let server: ServerType
let files: Files
/** How many of the next requests find their connection closed. */
let closing = 0
beforeAll(async () => {
  bucket = createBucket('shop-files', () => true)
  const fetch = (request: Request, { incoming }: HttpBindings | Http2Bindings) => {
    if (closing > 0) {
      closing--
      incoming.socket.destroy()
    }
    return bucket.app.fetch(asAtGoogle(request))
  }
  server = serve({ fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise(resolve => server.once('listening', resolve))
  vi.stubEnv('STORAGE_EMULATOR_HOST', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'shop')
  files = await openFiles({ folder: '/nowhere', bucket: 'shop-files' })
})
afterAll(() => {
  vi.unstubAllEnvs()
  server.close()
})
beforeEach(() => {
  bucket.objects.clear()
  bucket.faults.length = 0
})

/** The client leaves out the beginning of Google's paths where it is told of another host. */
function asAtGoogle(request: Request): Request {
  const url = new URL(request.url)
  if (url.pathname.startsWith('/b/')) url.pathname = `/storage/v1${url.pathname}`
  return new Request(url, request)
}

const picture = new Uint8Array([1, 2, 3, 250])

test('what is written is read again, listed with its time, and gone when it is removed', async () => {
  const began = Date.now()
  await files.write('public/games/a.webp', picture, 'image/webp')
  await files.write('slips/1.jpg', picture, 'image/jpeg')
  expect(bucket.objects.get('slips/1.jpg')?.contentType).toBe('image/jpeg')
  expect(await files.readPublic('games/a.webp')).toEqual({ body: picture, contentType: 'image/webp' })
  expect(await files.readPublic('../slips/1.jpg')).toBeNull()
  const [listed, ...others] = await files.list('slips')
  expect(others).toEqual([])
  expect(listed?.key).toBe('slips/1.jpg')
  expect(listed?.writtenAt.getTime()).toBeGreaterThanOrEqual(began)
  await files.remove('slips/1.jpg')
  await files.remove('slips/1.jpg')
  expect(await files.read('slips/1.jpg')).toBeNull()
})

const unavailable = (words: string) => ({
  code: 'FILES_UNAVAILABLE',
  cause: { message: expect.stringContaining(words) },
})

test('without a right nothing is lost: the caller may come again, and operators are told which right it is', async () => {
  await files.write('slips/1.jpg', picture, 'image/jpeg')
  const calls = {
    write: () => files.write('slips/1.jpg', new Uint8Array([9]), 'image/jpeg'),
    read: () => files.read('slips/1.jpg'),
    remove: () => files.remove('slips/1.jpg'),
    list: () => files.list('slips'),
  }
  for (const call of ['write', 'read', 'remove', 'list'] as const) {
    bucket.faults.push({ call, status: 403, times: 1 })
    const words = `FILES_BUCKET shop-files: The service account needs ${BUCKET_RIGHT[call]} there`
    await expect(calls[call](), call).rejects.toMatchObject(unavailable(words))
  }
  bucket.faults.push({ call: 'read', status: 403, times: 1 })
  await expect(files.readPublic('games/a.webp')).rejects.toMatchObject(unavailable(BUCKET_RIGHT.read))
  expect(await files.read('slips/1.jpg')).toEqual(picture)
})

test('a folder that takes nothing is told the same way', async () => {
  const folder = await openFiles({ folder: '/dev/null/files' })
  await expect(folder.write('slips/1.jpg', picture, 'image/jpeg')).rejects.toMatchObject(
    unavailable('FILES_DIR /dev/null/files: write failed with ENOTDIR'),
  )
})

test('a bucket that is away fails the call of that moment, and nothing is taken for missing', async () => {
  await files.write('slips/1.jpg', picture, 'image/jpeg')
  bucket.faults.push({ call: 'read', status: 503, times: 1 }, { call: 'remove', status: 503, times: 1 })
  await expect(files.read('slips/1.jpg')).rejects.toMatchObject(unavailable('read failed with 503'))
  await expect(files.remove('slips/1.jpg')).rejects.toMatchObject(unavailable('remove failed with 503'))
  expect(await files.read('slips/1.jpg')).toEqual(picture)
})

test('a connection that the bucket has closed meanwhile costs nothing', async () => {
  await files.write('slips/1.jpg', picture, 'image/jpeg')
  await files.write('slips/2.jpg', picture, 'image/jpeg')
  closing = 4
  const [read, listed] = await Promise.all([
    files.read('slips/1.jpg'),
    files.list('slips'),
    files.write('slips/3.jpg', picture, 'image/jpeg'),
    files.remove('slips/2.jpg'),
  ])
  expect(closing).toBe(0)
  expect(read).toEqual(picture)
  expect(listed).not.toEqual([])
  expect([await files.has('slips/2.jpg'), await files.has('slips/3.jpg')]).toEqual([false, true])
})

test('an upload in several requests arrives whole, too', async () => {
  const large = Buffer.alloc(700_000, 'slip')
  const file = new Storage({ projectId: 'shop' }).bucket('shop-files').file('statements/1.csv')
  await file.save(large, { resumable: true, chunkSize: 262_144, contentType: 'text/csv' })
  expect(Buffer.from((await files.read('statements/1.csv'))!).equals(large)).toBe(true)
})

test('what is written into a folder is for its user and group alone, however open the process is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'))
  const mask = process.umask(0)
  try {
    await (await openFiles({ folder })).write('slips/1.jpg', picture, 'image/jpeg')
  } finally {
    process.umask(mask)
  }
  const modes = await Promise.all(['slips', 'slips/1.jpg'].map(path => stat(join(folder, path))))
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o750, 0o640])
  await rm(folder, { recursive: true })
})
