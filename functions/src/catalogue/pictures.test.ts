import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { listManagedGames, type ManagedGame, saveGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { uploadBanner, uploadHint, uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf, lastAudit, newGame, uploadedPicture } from '../testing/catalogue.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1f4fa3' } }).withExif({ IFD0: { Artist: 'secret' } })
const png = (width = 400, height = 300) => drawn(width, height).png().toBuffer()
const fileOf = (bytes: Uint8Array | string, name = 'logo.png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)
const codeOf = (file: Blob) => it.as('manager').codeOf(uploadLogo, { file })
const stored = async (url: string) => {
  const response = await it.request(url)
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}

test('a picture becomes what the screens need, without what the camera wrote, under a name nobody can guess', async () => {
  const logo = await it.as('manager').call(uploadLogo, { file: fileOf(await png()) })
  const { response, body } = await stored(logo.url)
  expect(logo.url).toMatch(/^\/files\/pictures\/[\w-]{22}\.webp$/)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await sharp(body).metadata()).toMatchObject({ width: 228, height: 228, format: 'webp' })
  expect(body.includes('secret')).toBe(false)
})

test.each([
  ['a banner fills 1000x500', 'banner', [3000, 900], [1000, 500]],
  ['a hint stays whole inside 1000x1000', 'hint', [3000, 1500], [1000, 500]],
  ['a small hint stays small', 'hint', [300, 150], [300, 150]],
] as const)('%s', async (_, kind, [width, height], size) => {
  const bytes = await drawn(width, height).jpeg().toBuffer()
  const endpoint = kind === 'banner' ? uploadBanner : uploadHint
  const { url } = await it.as('admin').call(endpoint, { file: fileOf(bytes, 'photo.JPG') })
  const shown = await sharp((await stored(url)).body).metadata()
  expect([shown.width, shown.height]).toEqual(size)
})

test('WebP and a pasted picture without an ending are taken', async () => {
  expect(await codeOf(fileOf(await drawn(20, 20).webp().toBuffer(), 'a.webp'))).toBe('OK')
  expect(await codeOf(new Blob([new Uint8Array(await png())]))).toBe('OK')
})

test('a photo is taken with what phones write behind it, without its end mark, and called .jfif', async () => {
  const jpeg = await drawn(50, 50).jpeg().toBuffer()
  const film = Buffer.concat([jpeg, Buffer.from('MotionPhoto_Data'), Buffer.alloc(3000, 7), Buffer.from('SEFT')])
  const behind = Buffer.concat([await png(), Buffer.alloc(12)])
  for (const bytes of [film, jpeg.subarray(0, -2)]) expect(await codeOf(fileOf(bytes, 'a.jfif'))).toBe('OK')
  expect(await codeOf(fileOf(behind))).toBe('OK')
  const { url } = await it.as('manager').call(uploadLogo, { file: fileOf(film, 'a.jpg') })
  expect((await stored(url)).body.includes('SEFT')).toBe(false)
})

const html = Buffer.from('<html><script>alert(1)</script></html>')
test.each<[string, () => Promise<Blob> | Blob]>([
  ['an SVG', () => fileOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'logo.svg')],
  ['an SVG that says it is a PNG', () => fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a picture with a page behind it', async () => fileOf(Buffer.concat([await png(), html]))],
  [
    'a JPEG with a page inside',
    async () => {
      const jpeg = await drawn(50, 50).jpeg().toBuffer()
      return fileOf(Buffer.concat([jpeg.subarray(0, -2), html, jpeg.subarray(-2)]), 'a.jpg')
    },
  ],
  [
    'a WebP with something behind it',
    async () => fileOf(Buffer.concat([await drawn(9, 9).webp().toBuffer(), html]), 'a.webp'),
  ],
  ['a picture called a page', async () => fileOf(await png(), 'logo.html')],
  ['a program called a picture', () => fileOf('MZ\u0090\u0000this program')],
  ['a GIF', () => fileOf(Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'), 'a.gif')],
  ['the head of a picture', async () => fileOf((await png()).subarray(0, 60))],
  ['0 bytes', () => fileOf('')],
])('415: %s', async (_, file) => {
  expect(await codeOf(await file())).toBe('PICTURE_NOT_IMAGE')
})

test('413: a small file that unpacks to too many pixels, and one of too many bytes', async () => {
  const bomb = await png(9000, 9000)
  expect(bomb.byteLength).toBeLessThan(2_000_000)
  expect(await codeOf(fileOf(bomb))).toBe('PICTURE_TOO_LARGE')
  // The sites' own client would not even send it.
  const body = new FormData()
  body.append('file', fileOf(new Uint8Array(11_000_000)))
  const answer = await it.request(uploadLogo.path, { method: 'POST', headers: it.as('manager').headers, body })
  expect(await answer.json()).toMatchObject({ code: 'PICTURE_TOO_LARGE' })
  expect(await codeOf(fileOf(await png(5000, 4000)))).toBe('OK')
})

test('one caller does not fill the disk', async () => {
  const strict = await createTestShop({ RATE_LIMIT_UPLOADS_PER_CALLER: '1' })
  const file = fileOf(await png(9, 9))
  const send = () => strict.as('manager').codeOf(uploadLogo, { file })
  expect([await send(), await send()]).toEqual(['OK', 'RATE_LIMITED'])
  await strict.db.close()
})

describe('a game takes only pictures that were uploaded', () => {
  const save = (body: object) => it.as('manager').call(saveGame, { body: body as never })
  const refusal = (body: object) => failureOf(it.as('manager'), saveGame, { body: body as never })
  const asInput = ({ no: _, packageCount: _count, updatedAt: _at, updatedByName: _by, ...rest }: ManagedGame) => rest
  const managed = async (code: string) =>
    (await it.as('manager').call(listManagedGames, {})).find(game => game.code === code)!

  const NEVER = `/files/pictures/${'a'.repeat(22)}.webp`
  test.each([
    ['a picture that was never uploaded', { picture: NEVER }, ['picture']],
    [
      'a hint that was never uploaded, beside it',
      { picture: NEVER, playerHintPicture: NEVER },
      ['picture', 'playerHintPicture'],
    ],
    ['a page of the shop', { picture: '/files/index.html' }, ['picture']],
    ['a picture in no folder of uploads', { picture: '/files/slips/a.jpg' }, ['picture']],
    ['the folder itself', { playerHintPicture: '/files/pictures' }, ['playerHintPicture']],
  ])('refused: %s', async (_, change, fields) => {
    const error = await refusal(newGame({ code: 'refused', ...change }))
    expect(error.code).toBe('PICTURE_NOT_FOUND')
    expect(Object.keys(error.fields!)).toEqual(fields)
  })

  test('a picture that was uploaded is saved, with what was added to its address it is not', async () => {
    const picture = await uploadedPicture(it)
    for (const wrong of [`${picture}.webp`, picture.replace('.webp', ''), `${picture}/a`])
      expect((await refusal(newGame({ code: 'refused', picture: wrong }))).code).toBe('PICTURE_NOT_FOUND')
    const game = await save(newGame({ code: 'pictured', picture, playerHintPicture: picture }))
    expect(game).toMatchObject({ picture, playerHintPicture: picture })
    expect((await save({ ...asInput(game), picture: '' })).picture).toBe('')
  })

  test('a name may begin with any of the characters that names are made of', async () => {
    for (const first of ['-', '_', '0', 'Z']) {
      const key = `pictures/${first.padEnd(22, 'a')}.webp`
      await it.shop.files.write(`public/${key}`, await png(), 'image/webp')
      const saved = await save(newGame({ code: `named-${first.charCodeAt(0)}`, picture: `/files/${key}` }))
      expect(saved.picture).toBe(`/files/${key}`)
    }
  })

  test('a picture from before uploads stays when its game is saved, and comes back when that is undone', async () => {
    const old = '/files/games/mlbb.svg'
    await it.db.query({ text: `UPDATE game SET picture = $1 WHERE code = 'mlbb'`, values: [old] })
    const game = await save({ ...asInput(await managed('mlbb')), desc: 'other words' })
    expect(game.picture).toBe(old)
    expect((await refusal({ ...asInput(game), playerHintPicture: old })).code).toBe('PICTURE_NOT_FOUND')
    const without = await save({ ...asInput(game), picture: '' })
    expect((await refusal({ ...asInput(without), picture: old })).code).toBe('PICTURE_NOT_FOUND')
    const { id: auditId } = await lastAudit(it, `game:${game.id}`)
    expect(await it.as('admin').codeOf(undoChange, { body: { auditId } })).toBe('OK')
    expect((await managed('mlbb')).picture).toBe(old)
  })
})
