import { afterEach, expect, test, vi } from 'vitest'
import { prepareSlip } from './prepare-slip.ts'

// A browser's pictures and canvas, which jsdom has not.
function openPictures() {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 40, height: 80, close: () => undefined }))
  const pixels = { data: new Uint8ClampedArray(40 * 80 * 4), width: 40, height: 80 }
  const context = { fillRect: vi.fn(), drawImage: vi.fn(), getImageData: () => pixels }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(take => {
    take(new Blob(['jpeg'], { type: 'image/jpeg' }))
  })
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each([
  ['IMG_1.HEIC', 'image/heic'],
  ['IMG_1.heic', ''],
  ['slip.gif', 'image/gif'],
])('%s, which this browser opens and the server does not, is sent as a JPEG', async (name, type) => {
  openPictures()
  const { file } = await prepareSlip(new File(['x'], name, { type }))
  expect([file.type, file.name]).toEqual(['image/jpeg', `${name.split('.')[0]}.jpg`])
})

test('what the server opens is sent as it is, and what nobody opens is left to it', async () => {
  openPictures()
  const png = new File(['x'], 'slip.png', { type: 'image/png' })
  expect((await prepareSlip(png)).file).toBe(png)
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not here')))
  const heic = new File(['x'], 'IMG_1.HEIC', { type: 'image/heic' })
  expect(await prepareSlip(heic)).toEqual({ file: heic, qr: null })
})
