import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'

/** Stores the shop's files. Anybody may read keys under `public/`; all others are served only by the API. */
export interface Files {
  write(key: string, body: Uint8Array, contentType: string): Promise<void>
  read(key: string): Promise<Uint8Array | null>
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

/** Opens the file storage: a Google Cloud Storage bucket if one is named, else a folder. */
export async function openFiles(options: { folder: string; bucket?: string }): Promise<Files> {
  const disk = new Disk(await driver(options))
  const read = async (key: string) => ((await disk.exists(key)) ? disk.getBytes(key) : null)
  return {
    write: (key, body, contentType) => disk.put(key, body, { contentType }),
    read,
    remove: key => disk.delete(key),
    list: folder => listFiles(disk, folder),
    async readPublic(key) {
      const contentType = CONTENT_TYPES[key.split('.').at(-1) ?? '']
      if (!contentType || !/^[\w-]+(\/[\w-]+)*\.\w+$/.test(key)) return null
      const body = await read(`public/${key}`)
      return body && { body, contentType }
    },
  }
}

async function listFiles(disk: Disk, folder: string): Promise<{ key: string; writtenAt: Date }[]> {
  const files: { key: string; writtenAt: Date }[] = []
  let paginationToken: string | undefined
  do {
    const page = await disk.listAll(folder, { paginationToken })
    for (const each of page.objects) {
      if (each.isFile) files.push({ key: each.key, writtenAt: (await disk.getMetaData(each.key)).lastModified })
    }
    paginationToken = page.paginationToken
  } while (paginationToken)
  return files
}

async function driver({ folder, bucket }: { folder: string; bucket?: string }) {
  if (!bucket) return new FSDriver({ location: `${folder}/`, visibility: 'private' })
  const { GCSDriver } = await import('flydrive/drivers/gcs')
  return new GCSDriver({ bucket, visibility: 'private', usingUniformAcl: true })
}
