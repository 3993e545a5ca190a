import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'

let it: TestShop
let server: ServerProcess
beforeAll(async () => {
  it = await createTestShop()
  server = await startServerProcess(it.databaseUrl, { PROXIES_IN_FRONT: '1' })
})
afterAll(async () => {
  await server.kill()
  await it.db.close()
})

/** Begins to send a file of a megabyte and goes on by a byte at a time; what was answered. */
async function drip(address: string) {
  const socket: Socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const seen = { answer: '', isOpen: true }
  socket.on('error', () => {})
  socket.on('close', () => {
    seen.isOpen = false
  })
  socket.on('data', (part: Buffer) => {
    seen.answer += part.toString()
  })
  socket.write(
    [
      `POST ${uploadSlip.path} HTTP/1.1`,
      'Host: x',
      `X-Forwarded-For: ${address}`,
      `Guest-Key: ${onceKey()}`,
      `Idempotency-Key: ${onceKey()}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
      '',
      '--x\r\n',
    ].join('\r\n'),
  )
  const dripping = setInterval(() => socket.writable && socket.write('-'), 200)
  const stop = () => {
    clearInterval(dripping)
    socket.destroy()
  }
  return { seen, stop }
}

async function sendSlip(address: string) {
  const picture = sharp({ create: { width: 300, height: 600, channels: 3, background: '#e8f6ee' } })
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(await picture.jpeg().toBuffer())]), 'slip.jpg')
  const headers = { 'x-forwarded-for': address, 'guest-key': onceKey(), 'idempotency-key': onceKey() }
  return (await fetch(server.url + uploadSlip.path, { method: 'POST', headers, body })).status
}

test('twelve uploads that drip keep no slip out, and end', async () => {
  const drips = await Promise.all(Array.from({ length: 12 }, (_, n) => drip(`10.0.0.${n % 3}`)))
  await new Promise(resolve => setTimeout(resolve, 500))
  expect(drips.map(({ seen }) => seen.isOpen)).toEqual(Array(12).fill(true))
  expect(await sendSlip('10.0.9.9')).toBe(200)
  await expect.poll(() => drips.filter(({ seen }) => seen.isOpen)).toEqual([])
  for (const { seen, stop } of drips) {
    expect(seen.answer).toContain('HTTP/1.1 408')
    expect(seen.answer).toContain('UPLOAD_TOO_SLOW')
    stop()
  }
  expect(await sendSlip('10.0.0.1')).toBe(200)
})
