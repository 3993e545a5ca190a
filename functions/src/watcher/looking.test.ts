import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { type Listening, listen } from 'local/listen.ts'
import { createCertificate } from 'local/x509.ts'
import { afterEach, expect, test } from 'vitest'
import { lookAround } from './looking.ts'
import { readWatcher, type WatcherSettings } from './variables.ts'

const running: Listening[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(each => each.stop()))
})
const serve = async (answer: RequestListener) => {
  running.push(await listen(createPlainServer(answer), 0))
  return running.at(-1)!.origin
}
const least = {
  STOREFRONT_URL: 'https://shop.example',
  ADMIN_URL: 'https://office.example',
  PULSE_KEYS: 'k',
  LINE_CHANNEL_ACCESS_TOKEN: 't',
  WATCH_LINE_TO: 'C1',
}
const read = (more: Record<string, string>) => readWatcher({ ...least, ...more }) as WatcherSettings
const pages = () => serve((_, response) => response.end('page'))
/** What is told of a shop whose pulse answers so. */
const lookAt = async (status: number, body: object | string) => {
  const site = await pages()
  const pulse = await serve((request, response) => {
    const isKeyRight = request.headers.authorization === 'Bearer k' && request.headers['x-watcher'] === '1'
    response.writeHead(isKeyRight ? status : 403).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return lookAround(read({ STOREFRONT_URL: site, ADMIN_URL: site, WATCH_PULSE_URL: pulse }))
}
const words = async (...asked: Parameters<typeof lookAt>) => (await lookAt(...asked)).troubles.map(({ what }) => what)

test('what the pulse says is told in words, with what is over its limit', async () => {
  expect(await lookAt(200, { ok: true, red: [] })).toEqual({ troubles: [], unknown: [] })
  const fact = (label: string | null, value: number, limit: number) => ({ of: null, label, value, limit })
  const checks = [
    { name: 'cluster', isRed: true, facts: [fact('etcd ไม่มีเสียงข้างมาก db1', 1, 0), fact('Patroni ไม่ตอบ', 0, 0)] },
    { name: 'answersFailing', isRed: true, facts: [fact(null, 9, 4)] },
  ]
  const red = ['cluster', 'answersFailing', 'ofTomorrow']
  expect(await words(503, { ok: false, red, checks })).toEqual([
    expect.stringMatching(/^เครื่องฐานข้อมูลตามที่ Patroni บอก \(etcd ไม่มีเสียงข้างมาก db1\) เครื่อง/),
    'คำขอที่ร้านตอบว่าขัดข้อง ใน 2 นาที ลูกค้าใช้ร้านไม่ได้ แม้ส่วนอื่นยังดูปกติ',
    'ofTomorrow',
  ])
})

test('a front that answers in place of the shop, and a key that it does not take, are told as such', async () => {
  for (const [status, body] of [
    [502, 'bad gateway'],
    [200, '<html>'],
    [404, {}],
  ] as const) {
    const { troubles, unknown } = await lookAt(status, body)
    expect(troubles).toEqual([expect.objectContaining({ key: 'silent' })])
    expect(unknown).toContain('check:')
  }
  expect((await lookAt(503, { ok: false })).troubles.map(({ key }) => key)).toEqual(['key', 'unnamed'])
  expect((await lookAt(200, { ok: true })).troubles.map(({ key }) => key)).toEqual(['key'])
  expect(await lookAt(503, { ok: false, red: ['pool'] })).toMatchObject({
    troubles: [{ key: 'unseen:pool' }],
    unknown: ['check:'],
  })
})

test('a certificate that ends soon is told, and one that can not be seen is not known', async () => {
  const { key, cert } = createCertificate('shop', ['localhost'])
  running.push(
    await listen(
      createServer({ key, cert }, (_, response) => response.end()),
      0,
    ),
  )
  const site = `https://localhost:${running.at(-1)!.port}`
  const look = async (days: string) => {
    const settings = read({ STOREFRONT_URL: site, ADMIN_URL: site, WATCH_CERTIFICATE_DAYS: days })
    const { troubles, unknown } = await lookAround(settings)
    return { told: troubles.filter(({ key }) => key.startsWith('certificate')).map(({ what }) => what), unknown }
  }
  expect((await look('1')).told).toEqual([])
  expect((await look('100000')).told[0]).toMatch(/^ใบรับรอง TLS ของ localhost:\d+ เหลือ \d+ วัน$/)
  await running.pop()!.stop()
  expect((await look('100000')).unknown).toContain(`certificate:localhost:${new URL(site).port}`)
})

test('who would be told nothing, or lacks a half of a way, does not watch', () => {
  const flawsOf = (given: Record<string, string>) => (readWatcher(given) as { flaws: string[] }).flaws
  expect(readWatcher(least)).toMatchObject({ WATCH_EVERY_SECONDS: 30, WATCH_DAILY_AT: '09:00' })
  expect(flawsOf({})).toEqual(
    ['STOREFRONT_URL', 'ADMIN_URL', 'PULSE_KEYS'].map(name => expect.stringMatching(`^${name}: `)),
  )
  expect(flawsOf({ ...least, WATCH_LINE_TO: ' ' })).toEqual(['LINE needs LINE_CHANNEL_ACCESS_TOKEN and WATCH_LINE_TO.'])
  expect(flawsOf({ ...least, WATCH_MAIL_TO: 'a@b.co' })).toEqual(['Mail needs SMTP_URL, MAIL_FROM and WATCH_MAIL_TO.'])
  const { LINE_CHANNEL_ACCESS_TOKEN: _, WATCH_LINE_TO: __, ...nobody } = least
  expect(flawsOf(nobody)).toEqual(['Nobody would be told: set WATCH_MAIL_TO or WATCH_LINE_TO.'])
})
