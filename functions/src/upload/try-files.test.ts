import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFiles } from './files.ts'
import { tryFiles } from './try-files.ts'

test('many servers try one storage at once, and none takes what another removes for a fault', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-files-'))
  const files = await openFiles({ folder })
  const oneAfterAnother = async () => {
    for (let n = 0; n < 10; n++) await tryFiles({ files, now: () => new Date() })
  }
  await Promise.all(Array.from({ length: 8 }, oneAfterAnother))
  expect(await readdir(join(folder, 'tries'))).toEqual([])
})
