import { connect } from 'node:tls'
import { HEALTH_CHECK, isOver } from '@shop/shared/health/check.ts'
import { lookUp } from '@shop/shared/table.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import * as z from 'zod'
import type { UNMEASURED } from '../health/checks.ts'
import { MOST_PERCENT, openDisks } from '../health/disks.ts'
import { askJson } from '../http/ask-json.ts'
import { WATCHER_HEADER } from '../pulse/signs.ts'
import type { Look, Trouble } from './deciding.ts'
import type { WatcherSettings } from './variables.ts'

const ANSWER_MS = 10_000

/** Why the pulse could measure nothing. */
const UNSEEN = {
  database: { what: 'ฐานข้อมูลไม่ตอบ ร้านขายไม่ได้', first: 'ดูเครื่องฐานข้อมูล ร้านกลับมาเองเมื่อฐานข้อมูลกลับมา' },
  pool: { what: 'โปรแกรมของร้านค้าง คุยกับฐานข้อมูลไม่ได้', first: 'เริ่มโปรแกรมของร้านใหม่' },
} satisfies Record<(typeof UNMEASURED)[number], object>

const pulse = z.object({
  ok: z.boolean(),
  red: z.array(z.string()).optional(),
  checks: z
    .array(
      z.object({
        name: z.string(),
        facts: z.array(
          z.object({ label: z.string().nullable(), value: z.number().nullable(), limit: z.number().nullable() }),
        ),
      }),
    )
    .optional(),
})

const known = (name: string) => lookUp(HEALTH_CHECK, name) ?? null

/** A version of the shop that is newer than the watcher may have checks that this one has no words for. */
function troubleOf(name: string, { checks = [] }: z.output<typeof pulse>): Trouble {
  const over = checks.find(check => check.name === name)?.facts.filter(isOver) ?? []
  const named = over.flatMap(({ label }) => label ?? [])
  const { title = name, means = '', first = 'เปิดหน้าสุขภาพของร้าน' } = known(name) ?? {}
  const facts = named.length > 0 ? ` (${named.slice(0, 3).join(' · ')})` : ''
  return { key: `check:${name}`, what: `${title}${facts} ${means}`.trim(), first }
}

async function lookAtPulse(settings: WatcherSettings): Promise<Look> {
  const url = settings.WATCH_PULSE_URL ?? new URL('/pulse', settings.STOREFRONT_URL).href
  const headers = { authorization: `Bearer ${settings.PULSE_KEYS[0]}`, [WATCHER_HEADER]: '1' }
  const reply = await askJson(url, { headers, timeoutMs: ANSWER_MS })
  const told = reply && [200, 503].includes(reply.status) ? pulse.safeParse(reply.body).data : undefined
  if (!told) {
    const what = reply ? `ร้านตอบผิดปกติ (${reply.status})` : 'ร้านไม่ตอบ'
    const first = 'ดูว่าเครื่องของร้านและโปรแกรมของร้านทำงาน แล้วดู Caddy และเครือข่าย'
    return {
      troubles: [{ key: 'silent', what: `${what} ลูกค้าซื้อไม่ได้`, first }],
      unknown: ['check:', 'unseen:', 'key', 'unnamed'],
    }
  }
  if (!told.red) {
    const what = 'กุญแจของตัวเฝ้าร้านใช้ไม่ได้ จึงไม่รู้ว่าร้านผิดปกติตรงไหน'
    const first = 'ตั้ง PULSE_KEYS ของตัวเฝ้าให้ตรงกับของเซิร์ฟเวอร์'
    const unnamed = { key: 'unnamed', what: 'ร้านมีเรื่องผิดปกติ', first: 'เปิดหน้าสุขภาพของร้าน' }
    return { troubles: [{ key: 'key', what, first }, ...(told.ok ? [] : [unnamed])], unknown: ['check:', 'unseen:'] }
  }
  const unseen = told.red.find(name => Object.hasOwn(UNSEEN, name)) as keyof typeof UNSEEN | undefined
  if (unseen) return { troubles: [{ key: `unseen:${unseen}`, ...UNSEEN[unseen] }], unknown: ['check:'] }
  return { troubles: told.red.map(name => troubleOf(name, told)), unknown: [] }
}

async function lookAtPage(name: string, url: string): Promise<Look> {
  const status = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async reply => {
      await reply.body?.cancel()
      return reply.status
    },
    () => null,
  )
  if (status === 200) return { troubles: [], unknown: [] }
  const what = `${name} ${url} เปิดไม่ได้ (${status ?? 'ไม่ตอบ'})`
  const first = 'เปิดหน้านั้นเองจากเครือข่ายอื่น แล้วดู Caddy และโฟลเดอร์ของหน้าเว็บ'
  return { troubles: [{ key: `page:${name}`, what, first }], unknown: [] }
}

/** Returns until when the certificate of an address is valid; null when nobody answers there. */
function validUntil(url: URL): Promise<number | null> {
  return new Promise(resolve => {
    const { hostname: host, port } = url
    const end = (at: number | null) => {
      socket.destroy()
      resolve(at)
    }
    // Also one that is over is read.
    const socket = connect({ host, port: Number(port) || 443, servername: host, rejectUnauthorized: false }, () =>
      end(Date.parse(socket.getPeerCertificate().valid_to)),
    )
    socket.setTimeout(ANSWER_MS, () => end(null))
    socket.on('error', () => end(null))
  })
}

async function lookAtCertificate(address: string, days: number): Promise<Look> {
  const url = new URL(address)
  const key = `certificate:${url.host}`
  if (url.protocol !== 'https:') return { troubles: [], unknown: [] }
  const until = await validUntil(url)
  if (until === null) return { troubles: [], unknown: [key] }
  const left = Math.floor((until - Date.now()) / DAY_MS)
  const what = `ใบรับรอง TLS ของ ${url.host} เหลือ ${left} วัน`
  const first = 'ดู log ของ Caddy ว่าต่ออายุไม่ได้เพราะอะไร'
  return { troubles: left < days ? [{ key, what, first }] : [], unknown: [] }
}

async function lookAtDisks(paths: readonly string[]): Promise<Look> {
  const disks = await openDisks(paths)()
  const full = disks.filter(({ percent }) => percent > MOST_PERCENT)
  const { first } = HEALTH_CHECK.diskFull
  const troubles = full.map(({ path, percent }) => ({
    key: `disk:${path}`,
    what: `ดิสก์ของ ${path} ใช้ไปแล้ว ${percent}%`,
    first,
  }))
  return { troubles, unknown: [] }
}

/** Looks at all that can be seen from here. */
export async function lookAround(settings: WatcherSettings): Promise<Look> {
  const { STOREFRONT_URL, ADMIN_URL, WATCH_CERTIFICATE_DAYS: days, DISKS } = settings
  const looks = await Promise.all([
    lookAtPulse(settings),
    lookAtPage('หน้าร้าน', STOREFRONT_URL),
    lookAtPage('หลังร้าน', ADMIN_URL),
    ...[STOREFRONT_URL, ADMIN_URL].map(url => lookAtCertificate(url, days)),
    lookAtDisks(DISKS),
  ])
  return { troubles: looks.flatMap(({ troubles }) => troubles), unknown: looks.flatMap(({ unknown }) => unknown) }
}
