import { demoLine } from 'local/line-emulator/demo.ts'
import { startLineEmulator } from 'local/line-emulator/server.ts'
import { startMailInbox } from 'local/mail-inbox/server.ts'
import { expect, test } from 'vitest'
import { openTelling } from './telling.ts'
import { readWatcher, type WatcherSettings } from './variables.ts'
import { dayOfSign } from './watching.ts'
import { dailyWords } from './wording.ts'

test('what does not get through by one way is sent again there alone, and in its order', async () => {
  const inbox = await startMailInbox({ port: 0 })
  const line = await startLineEmulator({
    port: 0,
    seed: { quota: { type: 'none' }, webhookUrl: 'http://127.0.0.1:1/' },
  })
  const { groupId } = demoLine.staffGroup
  const settings = readWatcher({
    STOREFRONT_URL: 'https://shop.example',
    ADMIN_URL: 'https://office.example',
    PULSE_KEYS: 'k',
    ...inbox.environment,
    WATCH_MAIL_TO: 'owner@shop.test, none@shop.test',
    LINE_API_BASE_URL: `http://127.0.0.1:${new URL(line.origin).port}`,
    LINE_CHANNEL_ACCESS_TOKEN: demoLine.messagingChannel.accessToken,
    WATCH_LINE_TO: groupId,
  }) as WatcherSettings
  try {
    const told: string[] = []
    const telling = openTelling(settings, line => told.push(line))
    // Each of the two is one connection's.
    inbox.faults.push('later', 'later')
    for (const text of ['one', 'two']) telling.put({ subject: text, text })
    await telling.flush()
    const mails = () => inbox.mails.filter(({ to }) => to.includes('owner@shop.test')).map(({ text }) => text.trim())
    const shown = () => line.state.chats.get(groupId)!.map(({ message }) => String(message.text))
    expect([mails(), shown()]).toEqual([[], ['one', 'two']])
    expect(told).toContain('not told yet: owner@shop.test, 2 messages')
    await telling.flush()
    await telling.flush()
    expect([mails(), shown()]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ])
    expect(inbox.mails).toHaveLength(4)
  } finally {
    await Promise.all([inbox.stop(), line.stop()])
  }
})

test('the sign of life is due once a day at its time in Bangkok, and says what was last wrong', () => {
  const dayAt = (instant: string) => dayOfSign(new Date(instant), '09:00')
  expect(dayAt('2026-11-28T01:59:00Z')).toBe('2026-11-27')
  expect(dayAt('2026-11-28T02:00:00Z')).toBe('2026-11-28')
  expect(dayAt('2026-11-28T18:00:00Z')).toBe('2026-11-28')
  const place = { STOREFRONT_URL: 'https://shop.example', ADMIN_URL: 'https://office.example' }
  const last = { key: 'silent', what: 'ร้านไม่ตอบ', first: '', since: Date.parse('2026-11-27T10:00:00Z') }
  expect(dailyWords(place, null, []).text).toContain('ยังไม่เคยพบปัญหา')
  expect(dailyWords(place, last, []).text).toMatch(/ปกติ\nครั้งล่าสุดที่มีปัญหา: ร้านไม่ตอบ \(.*17:00 น\.\)/)
  expect(dailyWords(place, last, [last]).text).toContain('ยังไม่หาย 1 เรื่อง')
})
