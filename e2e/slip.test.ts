import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { drawSlip } from 'local/demo-slip.ts'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderNoOn, reportWith } from './bank-counter.ts'
import { OFFICE, shoot, useBrowser } from './browser.ts'
import { agreeAndOrder, choosePackage, signInToAdmin } from './people.ts'

const browser = useBrowser()

/** The size a JPEG says it has, from its frame header. */
function sizeOf(jpeg: Buffer): { width: number; height: number } {
  const frame = jpeg.findLastIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(jpeg[at + 1]!))
  return { width: jpeg.readUInt16BE(frame + 7), height: jpeg.readUInt16BE(frame + 5) }
}

/** Answers the first uploads of a page in its own way; the ones after them reach the shop. */
async function answerUploads(page: Page, ways: ((route: Route) => Promise<void>)[]) {
  const sent: { key: string | undefined; jpeg: Buffer }[] = []
  await page.route(`**${uploadSlip.path}`, async route => {
    const form = route.request().postDataBuffer()!
    const [start, end] = [form.indexOf(Buffer.from([0xff, 0xd8])), form.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2]
    sent.push({ key: route.request().headers()['idempotency-key'], jpeg: form.subarray(start, end) })
    const way = ways[sent.length - 1]
    await (way ? way(route) : route.continue())
  })
  return sent
}

test('a photo of 28 megapixels arrives after two failures without being picked again, smaller, its QR still read', async () => {
  const guest = await browser.open()
  await choosePackage(guest, { game: 'Free Fire', playerId: '5123450099', packageName: '310 เพชร' })
  await agreeAndOrder(guest)
  const help = guest.getByText('แนบแล้วธนาคารยืนยัน ร้านเก็บยอดไว้ 24 ชม. ไม่แนบ เก็บไว้ 30 นาที').filter({ visible: true })
  await help.waitFor()
  await help.scrollIntoViewIfNeeded()
  await shoot(guest, 'm-slip-help')
  const sent = await answerUploads(guest, [
    route => route.abort('connectionreset'),
    route => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Service Unavailable</h1>' }),
  ])
  const photo = await drawSlip('004', '015300000000PHOTO0001', { width: 4000 })
  expect(sizeOf(photo)).toEqual({ width: 4000, height: 7111 })
  await guest
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: photo })
  const again = guest.getByRole('button', { name: 'ลองอีกครั้ง' }).filter({ visible: true })
  await again.waitFor()
  // Above the bar at the bottom, without scrolling.
  const { y, height } = (await again.boundingBox())!
  expect(y + height).toBeLessThan(660)
  await shoot(guest, 'm-slip-retry')
  await again.click()
  await expect.poll(() => sent.length).toBe(2)
  await again.waitFor()
  await guest.getByText('IMG_0001.jpg ·').filter({ visible: true }).waitFor()
  await again.click()
  await guest
    .getByText(/แล้ว พบเลขอ้างอิงบนสลิป/)
    .filter({ visible: true })
    .waitFor()
  await shoot(guest, 'm-slip-sent')
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(sizeOf(sent[2]!.jpeg)).toEqual({ width: 1500, height: 2667 })
  await guest.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
  await guest.waitForURL(/\/thankyou/)
})

test('staff find an order by the picture of its slip, by keyboard or dropped, and hear when a picture has no QR', async () => {
  const guest = await browser.open()
  await choosePackage(guest, { game: 'Free Fire', playerId: '5123450101', packageName: '310 เพชร' })
  await agreeAndOrder(guest)
  const picture = { name: 'slip.jpg', mimeType: 'image/jpeg', buffer: await drawSlip('004', '015300000000FIND00001') }
  await reportWith(guest, picture.buffer)
  const orderNo = await orderNoOn(guest)

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop')
  const found = staff.locator('.ant-select-item-option').filter({ hasText: orderNo })
  const chooser = staff.waitForEvent('filechooser')
  await staff.getByRole('button', { name: 'ค้นด้วยรูปสลิป' }).focus()
  await staff.keyboard.press('Enter')
  await (await chooser).setFiles(picture)
  await found.waitFor()
  await shoot(staff, 'a-slip-search')
  await staff.keyboard.press('Enter')
  await staff.getByRole('heading', { name: `คำสั่งซื้อ ${orderNo}` }).waitFor()

  const drop = async (bytes: Buffer) => {
    const dataTransfer = await staff.evaluateHandle(base64 => {
      const transfer = new DataTransfer()
      const data = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
      transfer.items.add(new File([data], 'picture', { type: 'image/png' }))
      return transfer
    }, bytes.toString('base64'))
    await staff.dispatchEvent('search', 'drop', { dataTransfer })
  }
  // A picture of the whole page would show the order's slip, and with it the QR.
  await drop(await staff.getByRole('search').screenshot())
  await staff
    .getByRole('alert')
    .getByText(/^อ่าน QR ในรูปนี้ไม่ได้/)
    .waitFor()
  await shoot(staff, 'a-slip-search-none')
  await drop(picture.buffer)
  await found.waitFor()
})
