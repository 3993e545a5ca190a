import { randomBytes } from 'node:crypto'
import { errorMessage } from '@shop/shared/errors.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/upload/endpoints.ts'
import { addTopUp } from '@shop/shared/wallet/endpoints.ts'
import encodeQr from 'qr'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { readQrs } from './qr.ts'
import { readSlipImage } from './slip-image.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const KBANK_SLIP = '0041000600000101030040220015300000000XYZ000015102TH91047FD1'
const OTHER_SLIP = '003700060000010103006021620261120123456785102TH910433D2'
const PAYMENT_QR = '00020101021229370016A000000677010111011300668123456785303764540529.075802TH63049715'

interface Placed {
  text: string
  left: number
  top: number
}

/** A drawn slip: a coloured page with a QR at the bottom right, as JPEG with a place in its EXIF. */
const slipPicture = (qrText: string | null, height = 2000): Promise<Blob> =>
  drawPage(height, qrText === null ? [] : [{ text: qrText, left: 640, top: height - 500 }])

async function drawPage(height: number, codes: Placed[]): Promise<Blob> {
  const layers = codes.map(async ({ text, left, top }) => {
    const qr = Buffer.from(encodeQr(text, 'svg', { border: 2, ecc: 'medium' }))
    return { input: await sharp(qr).resize(360, 360).png().toBuffer(), left, top }
  })
  const picture = await sharp({ create: { width: 1080, height, channels: 3, background: '#e8f6ee' } })
    .composite(await Promise.all(layers))
    .withExif({ IFD0: { Artist: 'secret-artist' } })
    .jpeg({ quality: 80 })
    .toBuffer()
  return new Blob([new Uint8Array(picture)])
}

const upload = (caller: TestCaller, file: Blob) => caller.call(contract.uploadSlip, { file, idempotencyKey: onceKey() })
const uploadCode = (caller: TestCaller, file: Blob) =>
  caller.codeOf(contract.uploadSlip, { file, idempotencyKey: onceKey() })

let player = 0
async function newOrder(caller: TestCaller) {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: `slip-${++player}`,
    receivingAccountId: 1,
    termsVersion: '1',
  }
  return caller.call(orders.confirmPrice, { body, idempotencyKey: onceKey() })
}
const report = (caller: TestCaller, orderNo: string, slipId: string) =>
  caller.codeOf(orders.reportOrderTransfer, { params: { orderNo }, body: { slipId }, idempotencyKey: onceKey() })

describe('uploading a slip', () => {
  test('200: kept as a clean JPEG, its mini QR read, visible to its owner and staff only', async () => {
    const guest = it.as(null)
    const slip = await upload(guest, await slipPicture(KBANK_SLIP))
    expect(slip.hasBankReference).toBe(true)
    const fetchAs = (caller: TestCaller) => it.request(slip.url, { headers: caller.headers })
    const own = await fetchAs(guest)
    const body = Buffer.from(await own.arrayBuffer())
    expect(own.headers.get('content-type')).toBe('image/jpeg')
    expect((await sharp(body).metadata()).exif).toBeUndefined()
    expect(body.includes('secret-artist')).toBe(false)
    expect((await fetchAs(it.as('staff'))).status).toBe(200)
    for (const stranger of [it.as(null), it.as('customer')]) expect((await fetchAs(stranger)).status).toBe(404)
  })

  test('the same upload sent again with its key is the same slip', async () => {
    const guest = it.as(null)
    const [file, idempotencyKey] = [await slipPicture(null), onceKey()]
    const first = await guest.call(contract.uploadSlip, { file, idempotencyKey })
    expect((await guest.call(contract.uploadSlip, { file, idempotencyKey })).id).toBe(first.id)
  })

  test('a picture without a readable QR is accepted: staff look at it', async () => {
    expect(await upload(it.as(null), await slipPicture(null))).toMatchObject({ hasBankReference: false })
  })

  test('our own payment QR in place of a slip is said so', async () => {
    expect(await uploadCode(it.as(null), await slipPicture(PAYMENT_QR))).toBe('SLIP_IS_PAYMENT_QR')
    const line = { text: 'https://line.me/R/ti/p/@shop', left: 100, top: 100 }
    const pay = { text: PAYMENT_QR, left: 640, top: 1500 }
    expect(await uploadCode(it.as(null), await drawPage(2000, [line, pay]))).toBe('SLIP_IS_PAYMENT_QR')
  })

  test.each([
    ['text', new Blob(['not a picture'])],
    ['an SVG', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'])],
    ['a script named as picture', new Blob(['<script>alert(1)</script>'], { type: 'image/png' })],
    ['a PNG head without a picture', new Blob([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13])])],
    ['nothing', new Blob([])],
  ])('415: %s', async (_, file) => {
    expect(await uploadCode(it.as(null), file)).toBe('SLIP_NOT_IMAGE')
  })

  test('a JPEG that a program cut short of its end mark, or that a phone wrote a film behind, is a slip; half of one is none', async () => {
    const whole = Buffer.from(await (await slipPicture(KBANK_SLIP)).arrayBuffer())
    const film = Buffer.concat([whole, Buffer.from('MotionPhoto_Data'), randomBytes(5000), Buffer.from('SEFT')])
    for (const bytes of [whole.subarray(0, -2), film])
      expect((await readSlipImage(bytes)).qr).toMatchObject({ kind: 'slip' })
    const half = new Blob([new Uint8Array(whole.subarray(0, whole.length / 2))])
    expect(await uploadCode(it.as(null), half)).toBe('SLIP_NOT_IMAGE')
  })

  test('HEIC, which only some phones open, is refused with what to send instead', async () => {
    const heic = Buffer.from('0000001c667479706865696300000000686569636d6966316d696166', 'hex')
    const refused = it.as(null).call(contract.uploadSlip, { file: new Blob([heic]), idempotencyKey: onceKey() })
    await expect(refused).rejects.toMatchObject({ code: 'SLIP_NOT_IMAGE' })
    expect(errorMessage('SLIP_NOT_IMAGE')).toContain('HEIC ให้ส่งภาพหน้าจอ')
  })

  test.each([
    ['above the slip’s', { text: PAYMENT_QR, left: 100, top: 200 }],
    ['beside the slip’s', { text: PAYMENT_QR, left: 150, top: 1500 }],
    ['of LINE', { text: 'https://line.me/R/ti/p/@shop', left: 150, top: 1400 }],
  ])('a slip that shows another QR code, one %s, is known by its own', async (_, other) => {
    const own = { text: KBANK_SLIP, left: 640, top: 1500 }
    for (const codes of [
      [other, own],
      [own, { ...other, top: 1000 }],
    ])
      expect(await upload(it.as(null), await drawPage(2000, codes))).toMatchObject({ hasBankReference: true })
  })

  test('a very tall screenshot is read, and stays wide enough to be read by people', async () => {
    const slip = await readSlipImage(Buffer.from(await (await slipPicture(KBANK_SLIP, 9000)).arrayBuffer()))
    expect(slip.qr).toMatchObject({ kind: 'slip' })
    expect(slip.width).toBeGreaterThan(600)
    const above = await drawPage(9000, [{ text: KBANK_SLIP, left: 100, top: 1300 }])
    expect((await readSlipImage(Buffer.from(await above.arrayBuffer()))).qr).toMatchObject({ kind: 'slip' })
  })

  test('413: a small file that unpacks to too many pixels', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect(bomb.byteLength).toBeLessThan(1_000_000)
    expect(await uploadCode(it.as(null), new Blob([new Uint8Array(bomb)]))).toBe('SLIP_TOO_LARGE')
  })

  test('413: more than 20 megapixels, however small the file', async () => {
    const picture = (width: number) => sharp({ create: { width, height: 5000, channels: 3, background: '#fff' } })
    const fileOf = async (width: number) => new Blob([new Uint8Array(await picture(width).png().toBuffer())])
    expect(await uploadCode(it.as(null), await fileOf(4001))).toBe('SLIP_TOO_LARGE')
    expect(await uploadCode(it.as(null), await fileOf(4000))).toBe('OK')
  })

  test('415: something else than a form', async () => {
    const headers = { ...it.as(null).headers, 'idempotency-key': onceKey(), 'content-type': 'image/png' }
    const reply = await it.request(contract.uploadSlip.path, { method: 'POST', headers, body: 'png' })
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('of two at the same moment with one key one picture is kept, and none of an upload that failed', async () => {
    const files = new Set<string>()
    const { write, remove } = it.shop.files
    it.shop.files.write = async (key, ...rest) => {
      files.add(key)
      return write(key, ...rest)
    }
    it.shop.files.remove = async key => {
      files.delete(key)
      return remove(key)
    }
    const guest = it.as(null)
    const [file, idempotencyKey] = [await slipPicture(null), onceKey()]
    const both = await Promise.all([1, 2].map(() => guest.call(contract.uploadSlip, { file, idempotencyKey })))
    expect([both[0]!.id === both[1]!.id, files.size]).toEqual([true, 1])
    await it.db.query({ text: 'ALTER TABLE slip RENAME COLUMN width TO hidden' })
    const code = await uploadCode(guest, file)
    await it.db.query({ text: 'ALTER TABLE slip RENAME COLUMN hidden TO width' })
    Object.assign(it.shop.files, { write, remove })
    expect([code, files.size]).toEqual(['INTERNAL', 1])
  })

  test('no transaction is open while the file is written', async () => {
    const { write } = it.shop.files
    const open: unknown[] = []
    it.shop.files.write = async (...file) => {
      const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`
      open.push(...(await it.db.query({ text })))
      return write(...file)
    }
    await upload(it.as(null), await slipPicture(null))
    it.shop.files.write = write
    expect(open).toEqual([])
  })

  test('413: 50 MB', async () => {
    // The sites' own client would not even send it.
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(50_000_000)]))
    const headers = { ...it.as(null).headers, 'idempotency-key': onceKey() }
    const answer = await it.request(contract.uploadSlip.path, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ code: 'SLIP_TOO_LARGE' })
  })
})

describe('many uploads at once', () => {
  /** A picture of noise, in which the search for a QR takes its time. */
  async function noise(): Promise<Blob> {
    const pixels = randomBytes(2000 * 2000 * 3)
    const picture = sharp(pixels, { raw: { width: 2000, height: 2000, channels: 3 } })
    return new Blob([new Uint8Array(await picture.jpeg({ quality: 90 }).toBuffer())])
  }

  test('orders are answered while a picture is searched for its QR', async () => {
    const done: string[] = []
    const searched = readQrs(2000, 2000, randomBytes(2000 * 2000 * 4)).then(() => done.push('picture'))
    for (let n = 0; n < 3; n++) await newOrder(it.as(null)).then(() => done.push('order'))
    await searched
    expect(done).toEqual(['order', 'order', 'order', 'picture'])
  })

  test('of 20 big ones some are told to come back with Retry-After; orders do not wait for them', async () => {
    const file = await noise()
    let uploaded = 0
    const send = async () => {
      const form = new FormData()
      form.append('file', file)
      const headers = { ...it.as(null).headers, 'idempotency-key': onceKey() }
      const reply = await it.request(contract.uploadSlip.path, { method: 'POST', headers, body: form })
      uploaded++
      return reply
    }
    const uploads = Promise.all(Array.from({ length: 20 }, send))
    for (let n = 0; n < 3; n++) await newOrder(it.as(null))
    expect(uploaded).toBeLessThan(20)
    const replies = await uploads
    expect(new Set(replies.map(reply => reply.status))).toEqual(new Set([200, 503]))
    for (const reply of replies.filter(({ status }) => status === 503)) {
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('one bank transfer pays one thing', () => {
  test('a slip may be shown for two orders; from when it paid one of them it is refused, and which one is not told', async () => {
    const [first, second] = [it.as(null), it.as('customer')]
    const picture = await slipPicture(OTHER_SLIP)
    const [orderA, orderB] = [await newOrder(first), await newOrder(second)]
    const [slipA, slipB] = [await upload(first, picture), await upload(second, picture)]
    expect(await report(first, orderA.orderNo, slipA.id)).toBe('OK')
    expect(await report(second, orderB.orderNo, slipB.id)).toBe('OK')
    expect(await uploadCode(it.as(null), picture)).toBe('OK')
    const paid = { orderNo: orderA.orderNo, status: 'paid' as const, reason: 'เห็นยอด' }
    await it.as('staff').call(orders.updateOrderStatus, { body: paid })
    expect(await uploadCode(it.as(null), picture)).toBe('SLIP_REUSED')
    expect(JSON.stringify(await second.call(orders.getOrder, { params: { orderNo: orderB.orderNo } }))).not.toContain(
      orderA.orderNo,
    )
  })

  test('staff enter a top-up with its slip: the owner of the wallet may look at it, another agent may not', async () => {
    await addAccount(it, 'agent-b', 'agent')
    const walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
    const slip = await upload(it.as('staff'), await slipPicture(null))
    const body = { walletId, amountSatang: 50_000, slipId: slip.id }
    await it.as('staff').call(addTopUp, { body, idempotencyKey: onceKey() })
    const statusFor = async (uid: string) => (await it.request(slip.url, { headers: it.as(uid).headers })).status
    expect([await statusFor('agent'), await statusFor('agent-b')]).toEqual([200, 404])
  })

  test('who reports from the tracking link with a slip of their own shows it to the buyer, too', async () => {
    await addAccount(it, 'buyer', 'customer')
    const buyer = it.as('buyer')
    const { orderNo, trackToken } = await newOrder(buyer)
    const phone = it.as(null, { 'track-token': trackToken })
    const slip = await upload(phone, await slipPicture(null))
    expect(await report(phone, orderNo, slip.id)).toBe('OK')
    const statusFor = async (caller: TestCaller) => (await it.request(slip.url, { headers: caller.headers })).status
    expect([await statusFor(buyer), await statusFor(it.as(null))]).toEqual([200, 404])
  })

  test("somebody else's slip is unknown", async () => {
    const owner = it.as(null)
    const slip = await upload(owner, await slipPicture(null))
    const thief = it.as(null)
    const order = await newOrder(thief)
    expect(await report(thief, order.orderNo, slip.id)).toBe('SLIP_NOT_FOUND')
  })
})

test('of the slips that nobody hands in an uploader keeps ten: the oldest go, with their pictures', async () => {
  const guest = it.as(null)
  const order = await newOrder(guest)
  const used = await upload(guest, await slipPicture(null))
  await report(guest, order.orderNo, used.id)
  const kept: string[] = []
  for (let n = 0; n < 12; n++) {
    it.clock.advance(1)
    kept.push((await upload(guest, await slipPicture(null))).id)
  }
  const look = async (id: string) =>
    (await it.request(`/romons.payment/api/wallet/slip/${id}`, { headers: guest.headers })).status
  expect(await Promise.all(kept.map(look))).toEqual([404, 404, ...Array(10).fill(200)])
  expect(await it.shop.files.read(`slips/${kept[0]}.jpg`)).toBeNull()
  expect(await look(used.id)).toBe(200)
})

test('who sends refunds keeps the slips of a long form, and those that wait for a second person', async () => {
  const manager = it.as('manager')
  const kept: string[] = []
  for (let n = 0; n < 11; n++) {
    it.clock.advance(1)
    kept.push((await upload(manager, await slipPicture(null))).url)
  }
  const [oldest] = kept
  expect((await it.request(oldest!, { headers: manager.headers })).status).toBe(200)
})
