import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '@shop/shared/errors.ts'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { Refusal } from '../database/refusal.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    files: Files
  }
}

/**
 * Stores the shop's files. Anybody may read keys under `public/`; all others are served only by the API. Each call throws
 * FILES_UNAVAILABLE when the storage fails it, with a cause for operators.
 */
export interface Files {
  write(key: string, body: Uint8Array, contentType: string): Promise<void>
  read(key: string): Promise<Uint8Array | null>
  has(key: string): Promise<boolean>
  /** Removes a file; does nothing when it does not exist. */
  remove(key: string): Promise<void>
  /** Returns the files in a folder with the time when they were written. */
  list(folder: string): Promise<{ key: string; writtenAt: Date }[]>
  /** Returns a public file by its key without the `public/` prefix; null when it does not exist. */
  readPublic(key: string): Promise<{ body: Uint8Array; contentType: string } | null>
}

const CONTENT_TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
}

/** What the server's account may do in the bucket, by the calls that need it. One role holds all of it. */
export const BUCKET_RIGHT = {
  write: 'storage.objects.create',
  read: 'storage.objects.get',
  remove: 'storage.objects.delete',
  list: 'storage.objects.list',
} as const
export const BUCKET_ROLE = 'Storage Object User'

/** Opens the file storage: a Google Cloud Storage bucket if one is named, else a folder. */
export async function openFiles(options: { folder: string; bucket?: string }): Promise<Files> {
  const disk = new Disk(await driver(options))
  const place = options.bucket ? `FILES_BUCKET ${options.bucket}` : `FILES_DIR ${options.folder}`
  const told = <T>(call: keyof typeof BUCKET_RIGHT, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw new AppError('FILES_UNAVAILABLE', { cause: explained(place, call, error) })
    })
  const find = async (key: string) => ((await disk.exists(key)) ? disk.getBytes(key) : null)
  const read = (key: string) => told('read', find(key))
  return {
    write: (key, body, contentType) =>
      told(
        'write',
        options.bucket ? disk.put(key, body, { contentType }) : writeWhole(disk, options.folder, key, body),
      ),
    read,
    has: key => told('read', disk.exists(key)),
    remove: key => told('remove', disk.delete(key)),
    list: folder => told('list', listFiles(disk, folder)),
    async readPublic(key) {
      const contentType = CONTENT_TYPES[key.split('.').at(-1) ?? '']
      if (!contentType || !/^[\w-]+(\/[\w-]+)*\.\w+$/.test(key)) return null
      const body = await read(`public/${key}`)
      return body && { body, contentType }
    },
  }
}

/** Slips are of nobody's business but the server's, and of whoever is let into its group. */
const FOLDER_MODE = 0o750
const FILE_MODE = 0o640

/**
 * Writes into a folder, where a full disk or a killed process leaves half of a file: it gets its name when it is whole. A
 * bucket does so by itself.
 */
async function writeWhole(disk: Disk, folder: string, key: string, body: Uint8Array): Promise<void> {
  const part = `${key}.part`
  try {
    await mkdir(dirname(join(folder, key)), { recursive: true, mode: FOLDER_MODE })
    await writeFile(join(folder, part), body, { mode: FILE_MODE })
    await rename(join(folder, part), join(folder, key))
  } catch (error) {
    await disk.delete(part).catch(() => {})
    throw error
  }
}

/** The storage's failure, with a sentence about the right that is missing if that is why. */
function explained(place: string, call: keyof typeof BUCKET_RIGHT, error: unknown): unknown {
  const { cause = error } = error as { cause?: unknown }
  const { code } = cause as { code?: unknown }
  const words =
    code === 403
      ? `The service account needs ${BUCKET_RIGHT[call]} there (role ${BUCKET_ROLE}).`
      : `${call} failed with ${typeof code === 'number' || typeof code === 'string' ? code : 'no code'}.`
  return Object.assign(new Refusal(`${place}: ${words}`), { cause: error })
}

async function listFiles(disk: Disk, folder: string): Promise<{ key: string; writtenAt: Date }[]> {
  const files: { key: string; writtenAt: Date }[] = []
  let paginationToken: string | undefined
  do {
    const page = await disk.listAll(folder, { paginationToken })
    for (const each of page.objects) {
      const written = each.isFile && (await writtenAt(disk, each.key))
      if (written) files.push({ key: each.key, writtenAt: written })
    }
    paginationToken = page.paginationToken
  } while (paginationToken)
  return files
}

/** Another process may remove a file while it is listed: null then. */
async function writtenAt(disk: Disk, key: string): Promise<Date | null> {
  try {
    return (await disk.getMetaData(key)).lastModified
  } catch (error) {
    if (await disk.exists(key)) throw error
    return null
  }
}

async function driver({ folder, bucket }: { folder: string; bucket?: string }) {
  if (!bucket) return new FSDriver({ location: `${folder}/`, visibility: 'private' })
  const [{ GCSDriver }, { IdempotencyStrategy }] = await Promise.all([
    import('flydrive/drivers/gcs'),
    import('@google-cloud/storage'),
  ])
  const retryOptions = { idempotencyStrategy: IdempotencyStrategy.RetryAlways, retryableErrorFn: isGone }
  return new GCSDriver({ bucket, visibility: 'private', usingUniformAcl: true, retryOptions })
}

/**
 * Whether a kept connection was closed by the bucket's side. Every call writes, reads or removes a whole file, so it may
 * be made twice; what the bucket itself refuses is told at once.
 */
const isGone = ({ code }: { code?: unknown }) => code === 'ECONNRESET' || code === 'EPIPE'
