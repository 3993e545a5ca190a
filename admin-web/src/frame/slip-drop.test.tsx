import { AppError } from '@shop/shared/errors.ts'
import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { listAllTransactions } from '@shop/shared/wallet/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'

const picture = new File(['x'], 'slip.png', { type: 'image/png' })
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A browser's pictures and canvas, which happy-dom has not: this picture is grey all over. */
function openPictures() {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 40, height: 80, close: () => undefined }))
  const pixels = { data: new Uint8ClampedArray(40 * 80 * 4).fill(128), width: 40, height: 80 }
  const context = { fillRect: vi.fn(), drawImage: vi.fn(), getImageData: () => pixels }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
}

test('a picture without a QR, and a file that is no picture, say so until something is typed', async () => {
  openPictures()
  renderSite({ path: '/management/history' })
  const box = await screen.findByRole('combobox', { name: /ค้นหาคำสั่งซื้อ/ })
  const search = box.closest('search')!
  fireEvent.drop(search, { dataTransfer: { types: ['Files'], files: [picture] } })
  await screen.findByText(/^อ่าน QR ในรูปนี้ไม่ได้/)
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')))
  fireEvent.paste(search, { clipboardData: { files: [picture] } })
  await screen.findByText(/^เปิดไฟล์นี้ไม่ได้/)
  fireEvent.change(box, { target: { value: 'ฝน' } })
  expect(screen.queryByText(/^เปิดไฟล์นี้ไม่ได้/)).toBeNull()
})

test('a top-up is found by its slip and opened in the list of wallets', async () => {
  const topUp = { id: '01900000-0000-7000-8000-000000000001', no: 'TU2611-00000007' }
  let asked: string | null = null
  server.use(
    fake(listAllTransactions, (_, url) => {
      asked = url.searchParams.get('transactionNo')
      throw new AppError('UNAVAILABLE')
    }),
    fake(searchOrders, () => ({
      groups: [],
      topUps: [{ ...topUp, status: 'waiting_approve' as const, amountSatang: 50_000, ownerName: 'ปิติ ตัวแทนทอง' }],
    })),
  )
  renderSite({ path: '/management/history' })
  const box = await screen.findByRole('combobox', { name: /ค้นหาคำสั่งซื้อ/ })
  fireEvent.change(box, { target: { value: '016281152233AOR09178' } })
  await screen.findByText('เติมเงิน ปิติ ตัวแทนทอง')
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
  await screen.findByRole('heading', { name: 'กระเป๋าเงินตัวแทน', level: 1 })
  await waitFor(() => expect(asked).toBe(topUp.no))
})
