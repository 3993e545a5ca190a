import { uuidv7 } from 'uuidv7'
import type { Shop } from '../shop/shop.ts'

const FOLDER = 'tries'
/** As large as a large slip, so that a disk that is nearly full is found out. */
const SIZE = 512 * 1024
/** What a killed process left behind. */
const LEFT_MS = 3_600_000

/** Writes a file, reads it and removes it, because a storage that fails is seen by nobody until a customer meets it. */
export async function tryFiles({ files, now }: Pick<Shop, 'files' | 'now'>): Promise<void> {
  for (const { key, writtenAt } of await files.list(FOLDER))
    if (now().getTime() - writtenAt.getTime() > LEFT_MS) await files.remove(key)
  const key = `${FOLDER}/${uuidv7()}.bin`
  const body = Buffer.alloc(SIZE, key)
  await files.write(key, body, 'application/octet-stream')
  try {
    const read = await files.read(key)
    if (!read || !body.equals(read)) throw new Error('invariant broken: what was written to the storage is read again')
  } finally {
    await files.remove(key)
  }
}
